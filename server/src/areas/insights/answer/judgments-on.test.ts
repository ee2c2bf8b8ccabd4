import { expect, test } from 'vitest'
import { newWorkspace, startService } from '../../../../test/running-service.ts'
import { indexFilters } from '../../memory/judgment/scope.ts'
import { judgmentsOn } from './judgments-on.ts'

test('of long judgments a question reads the part that is compared, and nothing of their agents', async () => {
  const service = await startService()
  const ws = await newWorkspace(service)
  const rest = 'and so on '.repeat(10_000)
  const judgments = ['a', 'b'].map((recordId) => ({
    recordId,
    decision: 'reject',
    reasoning: `The zebra crossing lacks paint. ${rest}`,
    content: `Harbour festival: a poster. ${rest}`,
    actionUser: { userId: 'ann', name: 'Ann' },
    agent: { agentId: 'bot', agentFields: { notes: rest } },
  }))
  await ws.ok('/v2/memory/judgments/add', { judgments })
  const tenant = { apiKey: ws.apiKey, workspaceId: ws.id }
  const read = async (question: string, filters = {}) => {
    const asked = { question, scope: {}, filters: indexFilters(filters), names: [] }
    const { found } = await judgmentsOn(service.database, tenant, service.app.services, asked)
    return found.map(({ judgment }) => [judgment.reasoning.length, judgment.content?.length ?? 0, judgment.agent])
  }
  const part = 20_000
  expect(await read('Why the zebra crossing?')).toEqual(judgments.map(() => [part, 0, null]))
  expect(await read('Why was the harbour festival rejected?')).toEqual(judgments.map(() => [part, part, null]))
  expect(await read('What do you think?', { reviewerId: 'ann' })).toEqual(judgments.map(() => [part, 0, null]))
})
