import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { consoleRegistry, registry } from '../../src/operations.ts'
import { listOperations } from '../../src/platform/operation.ts'
import { complete, placesOf, replaceAt } from '../arbitrary.ts'
import { signedIn } from '../console.ts'
import { newWorkspace, startAlone } from '../running-service.ts'

const NUMBERS = [1e308, -1e308, 5e-324, 2 ** 53, -(2 ** 63)]
const TEXTS = ['a\u0000b', '\ud800']

const operations = listOperations(registry).map(({ declaration }) => declaration)
const consoleOperations = listOperations(consoleRegistry).map(({ declaration }) => declaration)

type Ask = (path: string, data: unknown) => Promise<{ status: number; body: unknown }>

let askApi: Record<'workspace' | 'apiKey' | 'none', Ask>
let askConsole: Ask

beforeAll(async () => {
  // Alone: so many refused sign-ins would keep the tests of other files out.
  const service = await startAlone()
  const { workspaceHeaders, keyHeaders } = await newWorkspace(service)
  askApi = {
    workspace: (path, data) => service.call(path, data, workspaceHeaders),
    apiKey: (path, data) => service.call(path, data, keyHeaders),
    none: (path, data) => service.call(path, data),
  }
  const { ask } = await signedIn(service, 'operator')
  askConsole = (path, data) => ask(path.replace('/console/api/', ''), data)
})

/** Expects that `ask` answers what is complete but for one extreme value, at each of its places in turn. */
async function expectAnswers(ask: Ask, path: string, input: object) {
  const [sample] = fc.sample(complete(input), { numRuns: 1, seed: 1 })
  // A page token of nobody would be refused before the other values are used.
  const { pageToken: _, ...data } = sample as Record<string, unknown>
  for (const { place, value } of placesOf(data)) {
    for (const extreme of typeof value === 'number' ? NUMBERS : TEXTS) {
      const { status, body } = await ask(path, replaceAt(data, place, extreme))
      expect(status, `${place.join('.')} = ${JSON.stringify(extreme)}: ${JSON.stringify(body)}`).toBeLessThan(500)
    }
  }
}

test.each(operations)('$path never answers 5xx if one of its values is extreme', ({ path, auth, input }) =>
  expectAnswers(askApi[auth], path, input),
)

test.each(consoleOperations)('$path never answers 5xx if one of its values is extreme', ({ path, input }) =>
  expectAnswers(askConsole, path, input),
)

/**
 * They never had bounds, and reach no column of numbers: a depth is cut to the deepest, a suggestion is kept as JSON.
 */
const UNBOUNDED = /\/(maxDepth|suggestion\/properties\/resolvedAt\/anyOf\/0)$/

test.each([...operations, ...consoleOperations])('$path bounds its integers', ({ input }) => {
  expect(unboundedIntegers(input).filter((path) => !UNBOUNDED.test(path))).toEqual([])
})

/** The paths of the integers of a schema that admit what JSON, and a `bigint` of Postgres, cannot hold exactly. */
function unboundedIntegers(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, minimum, maximum } = schema as { type?: unknown; minimum?: number; maximum?: number }
  const isBounded = Number.isSafeInteger(minimum) && Number.isSafeInteger(maximum)
  if (type === 'integer' && !isBounded) return [path]
  return Object.entries(schema).flatMap(([name, part]) => unboundedIntegers(part, `${path}/${name}`))
}
