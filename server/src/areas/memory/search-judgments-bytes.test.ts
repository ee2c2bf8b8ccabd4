import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, startConfigured, type TestWorkspace } from '../../../test/running-service.ts'

let ws: TestWorkspace

beforeAll(async () => {
  ws = await newWorkspace(await startConfigured({ PAGE_LIMIT_BYTES: '50000' }))
  const judgments = [1, 2, 3, 4].map((n) => ({
    recordId: `r${n}`,
    decision: 'reject',
    reasoning: 'The zebra crossing lacks paint. '.repeat(n),
    content: 'A street. '.repeat(3_000),
    actionUser: { userId: 'ann', name: 'Ann' },
    createdAt: Date.now() - n * 1_000,
  }))
  await ws.ok('/v2/memory/judgments/add', { judgments })
})

test.each<[string, '/v2/memory/search' | '/v2/memory/judgments/query', object]>([
  ['a search by meaning', '/v2/memory/search', { query: 'zebra crossing' }],
  ['a search of a range of days', '/v2/memory/search', { recencyDays: 365 }],
  ['a list', '/v2/memory/judgments/query', {}],
])('%s answers the first judgments that PAGE_LIMIT_BYTES admits, by what it answers of them', async (_, path, data) => {
  const found = async (includeContent: boolean) => {
    const { results } = await ws.ok(path, { ...data, includeContent })
    return results.map(({ recordId }) => recordId)
  }
  const all = await found(false)
  expect(all).toHaveLength(4)
  expect(await found(true)).toEqual(all.slice(0, 2))
})
