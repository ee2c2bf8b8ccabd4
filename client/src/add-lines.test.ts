import { expect, test } from 'vitest'
import { addLines } from './add-lines.ts'
import type { Api } from './api.ts'
import { type ErrorDetails, PrecedentError } from './errors.ts'

type Request = Parameters<Api['memory']['addJudgments']>[0]

const refusal = (status: PrecedentError['status'], httpStatus: number, details?: ErrorDetails) =>
  new PrecedentError({ status, httpStatus, message: `Refused with ${httpStatus}.`, details }, new Headers())

/** Adds the judgments with these ids to a service that throws what `refuses` returns for those of a request. */
async function added(ids: string[], refuses: (ids: string[]) => Error | undefined) {
  const requests: string[][] = []
  const addJudgments = async ({ judgments }: Request) => {
    const sent = judgments.map(({ recordId = '' }) => recordId)
    requests.push(sent)
    const error = refuses(sent)
    if (error) throw error
    return { results: Object.fromEntries(sent.map((id) => [id, { success: id !== 'unknown', message: 'Why.' }])) }
  }
  const told: [number, string][] = []
  const lines = ids.map((recordId, i) => ({
    line: i + 1,
    judgment: { recordId, decision: 'approve', reasoning: 'Fine.', actionUser: { userId: 'ada', name: 'Ada' } },
  }))
  const api = { memory: { addJudgments } } as unknown as Api
  const count = await addLines(api, lines, { refuse: (line, reason) => told.push([line, reason]) })
  return { count, told, requests }
}

test('what the service did not add is told with its line', async () => {
  expect(await added(['a', 'unknown', 'c'], () => undefined)).toMatchObject({ count: 2, told: [[2, 'Why.']] })
})

test('judgments that a request is refused for are told by their first fault, and the others sent again', async () => {
  const issues = [
    { path: 'judgments[1].decision', message: 'is required' },
    { path: 'judgments[1].reasoning', message: 'is required' },
  ]
  const refuses = (ids: string[]) => (ids.includes('b') ? refusal('INVALID_ARGUMENT', 400, { issues }) : undefined)
  expect(await added(['a', 'b', 'c'], refuses)).toEqual({
    count: 2,
    told: [[2, 'decision is required']],
    requests: [
      ['a', 'b', 'c'],
      ['a', 'c'],
    ],
  })
})

test.each([
  ['the service', refusal('INVALID_ARGUMENT', 413)],
  ['a proxy before it', refusal('UNKNOWN', 413)],
  ['the service for its values', refusal('INVALID_ARGUMENT', 400, { issues: [{ path: '', message: 'too many' }] })],
])('a request that is too large for %s is sent in halves', async (_, error) => {
  const { count, told, requests } = await added(['a', 'large', 'c'], (ids) =>
    ids.includes('large') ? error : undefined,
  )
  expect({ count, told }).toEqual({ count: 2, told: [[2, error.message]] })
  expect(requests).toHaveLength(5)
})

test('who may not add judgments is told so at once', async () => {
  const error = refusal('PERMISSION_DENIED', 403)
  await expect(added(['a', 'b'], () => error)).rejects.toBe(error)
})
