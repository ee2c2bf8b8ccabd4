import { expect, test } from 'vitest'
import { startEmbeddingService } from '../../../test/models/embeddings-server.ts'
import { newWorkspace } from '../../../test/running-service.ts'

test('with a configured model, a judgment that says the same in other words is quoted', async () => {
  const { service, stop } = await startEmbeddingService()
  const ws = await newWorkspace(service)
  const judgment = (recordId: string, reasoning: string) => ({
    recordId,
    decision: 'approve',
    reasoning,
    actionUser: { userId: 'ann', name: 'Ann' },
  })
  const judgments = [judgment('car', 'Inexpensive automobile.'), judgment('letter', 'A warm letter to a neighbour.')]
  await ws.ok('/v2/memory/judgments/add', { judgments })
  await service.drainJobs()
  const { citations } = await ws.ok('/v2/memory/ask', { question: 'cheap vehicle, cheap car?' })
  expect(citations).toEqual([{ recordId: 'car', snippet: 'Inexpensive automobile.' }])
  await stop()
})
