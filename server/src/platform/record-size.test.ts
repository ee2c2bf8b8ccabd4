import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../test/running-service.ts'
import { sql } from './db/db.ts'
import { bytesOf, exceeds, MAX_RECORD_BYTES, OUTGROWN } from './record-size.ts'

let service: Service
let ws: TestWorkspace

const organizationId = 'acme'
const areas: [path: string, list: string, id: string, place: object][] = [
  ['/v2/organizations', 'organizations', 'organizationId', {}],
  ['/v2/organizations/documents', 'documents', 'documentId', { organizationId }],
  ['/v2/organizations/folders', 'folders', 'folderId', { organizationId }],
]

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId }] })
})

test.each(areas)('%s/add and update refuse an item of more than 256 KiB of JSON', async (path, list, id, place) => {
  const items = [{ [id]: 'small' }, { [id]: 'large', text: 'x'.repeat(MAX_RECORD_BYTES) }]
  for (const operation of ['add', 'update']) {
    const { status, body } = await ws.call(`${path}/${operation}`, { ...place, [list]: items })
    expect([status, body.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
    expect(body.error.message).toBe(`${list}[1] must hold at most 256 KiB of JSON`)
  }
})

test.each(areas)('%s/update grows no record beyond it, and changes the others', async (path, list, id, place) => {
  const half = 'x'.repeat(MAX_RECORD_BYTES / 2)
  const update = (...items: object[]) => ws.ok(`${path}/update`, { ...place, [list]: items })
  await ws.ok(`${path}/add`, { ...place, [list]: [{ [id]: 'full', first: half }, { [id]: 'other' }] })
  const results = await update({ [id]: 'other', kept: 'yes' }, { [id]: 'full', kept: 'no', second: half })
  expect(results).toMatchObject({ data: { other: { success: true }, full: { success: false, message: OUTGROWN } } })
  const stored = JSON.stringify(await ws.ok(`${path}/get`, place))
  expect(stored).toContain('"kept":"yes"')
  expect(stored).not.toContain('"kept":"no"')
  expect(await update({ [id]: 'full', first: 'small', second: half })).toMatchObject({
    data: { full: { success: true } },
  })
})

test('a record that is as large as it may be can still be renamed', async () => {
  const numbers = Array.from({ length: 99_900 }, () => 1)
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'wide', numbers }] })
  const { data } = await ws.ok('/v2/organizations/update', {
    organizations: [{ organizationId: 'wide', organizationName: 'Wide' }],
  })
  expect(data.wide?.success).toBe(true)
})

test('numbers count with the digits that the database writes', async () => {
  const numbers = [1e308, -1.5e-7, 1e21, 12]
  const [row] = await service.database.query<{ length: number }>(sql`
    select octet_length(${JSON.stringify(numbers)}::jsonb::text) as length`)
  expect(bytesOf(numbers)).toBeGreaterThanOrEqual((row?.length ?? 0) - numbers.length)
  expect(bytesOf(['1e308', ',1e308'])).toBe(18)
})

test('a value exceeds every size below its own, and no other', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'é', '\u0001', '"', '\\', '𝄞') })
  const values = fc.oneof(fc.jsonValue(), texts, fc.dictionary(texts, texts), fc.constant([-Number.MAX_VALUE, 5e-324]))
  fc.assert(
    fc.property(values, fc.array(fc.nat(1_000)), (value, near) => {
      const size = bytesOf(value)
      for (const bytes of [0, size - 1, size, size + 1, 6 * size, ...near])
        expect(exceeds(value, bytes)).toBe(size > bytes)
    }),
  )
})
