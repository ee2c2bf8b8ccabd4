import { expect, test } from 'vitest'
import { newWorkspace, startService } from '../../../test/running-service.ts'

const ada = { userId: 'ada', name: 'Ada Lovelace' }

test('a search filters by side, which several decisions take, and fills the limit with them', async () => {
  const own = await newWorkspace(await startService())
  const decisions = ['approve', 'Agree', 'document_approved', 'rejected', 'disagree', 'DOCUMENT_REJECTED', 'resolve']
  const judgments = Array.from({ length: 70 }, (_, i) => {
    const decision = decisions[i % decisions.length]
    return { recordId: `${decision}-${i}`, decision, reasoning: 'Colour contrast was reviewed.', actionUser: ada }
  })
  await own.ok('/v2/memory/judgments/add', { judgments })
  const decided = async (data: object) => {
    const asked = { query: 'colour contrast', limit: 30, ...data }
    const { results, totalInScope } = await own.ok('/v2/memory/search', asked)
    const names = results.map(({ decision }: { decision: string }) => decision)
    return { names: [...new Set(names)].sort(), found: names.length, totalInScope }
  }
  const rejecting = { names: ['DOCUMENT_REJECTED', 'disagree', 'rejected'], found: 30, totalInScope: 30 }
  expect(await decided({ filters: { side: 'reject' } })).toEqual(rejecting)
  expect(await decided({ filters: { side: 'reject' }, recencyDays: 1 })).toEqual(rejecting)
  expect(await decided({ filters: { side: 'approve' } })).toMatchObject({
    names: ['Agree', 'approve', 'document_approved'],
    found: 30,
  })
  expect(await decided({ filters: { side: 'approve', decision: 'disagree' } })).toMatchObject({ found: 0 })
})
