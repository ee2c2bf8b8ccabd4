import { beforeAll, expect, test } from 'vitest'
import { createExpectation } from '../../../demo/collaboration/expectation.ts'
import { runCollaboration } from '../../../demo/collaboration.ts'
import { type Service, startService } from '../running-service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})

test('a company is loaded through the API, and every read operation answers what was written', async () => {
  const sizes = { organizations: 2, folders: 20, documents: 60, users: 40, comments: 150 }
  const said: string[] = []
  const { written, comparisons } = await runCollaboration(
    { baseUrl: service.url },
    (line) => said.push(line),
    sizes,
    20,
  )
  expect(written).toMatchObject({ folders: 20, documents: 60, users: 40, comments: 150 })
  expect(comparisons).toBeGreaterThan(200)
  expect(said.filter((line) => /… comments: \d+ calls in/.test(line)).length).toBeGreaterThan(0)
  expect(said.at(-1)).toContain('everything reads as it was written')
}, 60_000)

test.each([
  ['another value', { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, 'what.a.0.b: 1 where 2 was written'],
  ['a missing field', { a: 1 }, { a: 1, b: null }, 'what.b: undefined where null was written'],
  ['an item too many', [1, 2], [1], 'what: 2 items where 1 were written'],
  ['a map for a list', { 0: 1 }, [1], 'what: {"0":1} where [1] was written'],
])('%s is a difference', (_, actual, expected, message) => {
  expect(() => createExpectation().matches('what', actual, expected)).toThrow(message)
})
