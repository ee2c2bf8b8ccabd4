import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { registry } from '../../src/operations.ts'
import { listOperations } from '../../src/platform/operation.ts'
import { HOSTILE, spoiled, valid } from '../arbitrary.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../running-service.ts'
import { tenantRows } from '../tenant-rows.ts'

const operations = listOperations(registry)
const RUNS = Number(process.env.FUZZ_RUNS ?? 12)

let service: Service
let mine: TestWorkspace
let other: TestWorkspace

beforeAll(async () => {
  service = await startService()
  mine = await newWorkspace(service)
  other = await newWorkspace(service)
})

const headersFor = (auth: string, workspace = mine) =>
  auth === 'workspace' ? workspace.workspaceHeaders : auth === 'apiKey' ? workspace.keyHeaders : {}

describe.each(operations)('$declaration.path', ({ declaration: { path, auth, input } }) => {
  test('never answers 5xx, and always as declared, to valid input', async () => {
    await fc.assert(
      fc.asyncProperty(valid(input), async (data) => {
        const { status, body } = await service.call(path, data, headersFor(auth))
        expect(status, JSON.stringify(body)).toBeLessThan(500)
      }),
      { numRuns: RUNS },
    )
  })

  test('never answers 5xx to hostile input, and what it refuses changes nothing', async () => {
    const before = await tenantRows(service.database, mine.apiKey)
    let refusedAll = true
    await fc.assert(
      fc.asyncProperty(fc.oneof(spoiled(input), fc.constantFrom(...HOSTILE)), async (data) => {
        const { status, body } = await service.call(path, data, headersFor(auth))
        expect(status, JSON.stringify(body)).toBeLessThan(500)
        if (status < 300) refusedAll = false
      }),
      { numRuns: RUNS * 2 },
    )
    if (refusedAll) expect(await tenantRows(service.database, mine.apiKey)).toEqual(before)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test('as another tenant, with the same ids, it reveals and changes nothing of the first', async () => {
    const before = await tenantRows(service.database, mine.apiKey)
    await fc.assert(
      fc.asyncProperty(valid(input), async (data) => {
        const { status, body } = await service.call(path, data, headersFor(auth, other))
        expect(status).toBeLessThan(500)
        expect(JSON.stringify(body)).not.toContain(mine.apiKey)
      }),
      { numRuns: RUNS },
    )
    expect(await tenantRows(service.database, mine.apiKey)).toEqual(before)
  })
})
