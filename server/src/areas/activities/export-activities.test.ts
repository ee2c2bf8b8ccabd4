import { createHash, createHmac } from 'node:crypto'
import canonicalize from 'canonicalize'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  ws = await newWorkspace(service)
  await ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
})

const activity = (id: string, more: object = {}) => ({
  id,
  featureType: 'comment',
  actionType: 'comment.add',
  actionUser: { userId: 'ada', name: 'Ada' },
  ...more,
})
const add = (activities: object[]) =>
  ws.ok('/v2/activities/add', { ...PLACE, createOrganization: true, createDocument: true, activities })
const PLACE = { organizationId: 'acme', documentId: 'plan' }

const download = (data: object) => ws.call('/v2/activities/export', { organizationId: 'acme', ...data })

/** A line of NDJSON: an entry, or the head. */
interface Line {
  position?: number
  kind: string
  id?: string
  at: number
  hash: string
  actor: Opened | null
  content: Opened | null
  commitments: { actor: string | null; content: string | null }
  count?: number
  genesis?: string
}
interface Opened {
  value: unknown
  salt: string
}
const linesOf = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
const verify = async () => (await ws.ok('/v2/activities/verify', { organizationId: 'acme' })).data

test('NDJSON: every version, deletion and erasure by position, the head last', async () => {
  await add([activity('a'), activity('b')])
  await add([activity('a', { actionType: 'comment.update' })])
  await ws.ok('/v2/activities/delete', { organizationId: 'acme', activityIds: ['b'] })
  const { status, headers, body } = await download({ format: 'ndjson' })
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8'])
  const lines = linesOf(body)
  expect(lines.map(({ position, kind, id }) => [position, kind, id])).toEqual([
    [1, 'add', 'a'],
    [2, 'add', 'b'],
    [3, 'overwrite', 'a'],
    [4, 'delete', 'b'],
    [undefined, 'head', undefined],
  ])
  const { count, head } = await verify()
  expect(lines.at(-1)).toMatchObject({ organizationId: 'acme', count, hash: head })
  expect(lines[0]?.actor?.value).toEqual({ userId: 'ada', name: 'Ada' })
})

test('whoever has the export can recompute the chain with nothing but SHA-256 and RFC 8785', async () => {
  await add([activity('a', { entityData: { text: 'hi', n: 1e21 } }), activity('b')])
  await add([activity('a')])
  const lines = linesOf((await download({ format: 'ndjson' })).body)
  const head = lines.pop()
  const sha256 = (value: unknown) =>
    createHash('sha256')
      .update(canonicalize(value) ?? '')
      .digest('hex')
  let previous = sha256(['activity-log', ws.apiKey, 'acme'])
  expect(previous).toBe(head?.genesis)
  for (const { hash, actor, content, ...entry } of lines) {
    for (const [part, commitment] of [
      [actor, entry.commitments.actor],
      [content, entry.commitments.content],
    ] as const) {
      const opened = part && createHmac('sha256', Buffer.from(part.salt, 'hex')).update(canonicalize(part.value) ?? '')
      expect(opened ? opened.digest('hex') : null).toBe(commitment)
    }
    previous = sha256({ previous, ...entry })
    expect(previous).toBe(hash)
  }
  expect([lines.length, previous]).toEqual([head?.count, head?.hash])
})

test('CSV: a header, one row per entry, the head last, no cell that a spreadsheet would run', async () => {
  await add([
    activity('=cmd()', {
      actionUser: { userId: '+ada', name: '@SUM(1)' },
      displayMessageTemplate: '-{{actionUser.name}}, "{{n}}"',
      displayMessageTemplateData: { n: 1 },
      changes: { a: { to: 'b' } },
    }),
  ])
  const { headers, body } = await download({ format: 'csv' })
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const [header, row, head, end] = body.split('\r\n')
  expect(header).toContain('"position","kind","at","id","documentId","timestamp","featureType","actionType","userId"')
  expect(row).toContain('1,"add","20')
  expect(row).toContain('"\'=cmd()","plan"')
  expect(row).toContain('"\'+ada","\'@SUM(1)"')
  expect(row).toContain('"\'-@SUM(1), ""1"""')
  expect(row).toContain('"{""a"":{""to"":""b""}}"')
  expect(head).toBe(`1,"head",,,,,,,,,,,,,,"${(await verify()).head}"`)
  expect(end).toBe('')
})

test('a range of time, its ends included, as epoch milliseconds or ISO-8601', async () => {
  await add([activity('a')])
  const at = linesOf((await download({ format: 'ndjson' })).body)[0]?.at ?? 0
  const ids = async (dateRange: object) =>
    linesOf((await download({ format: 'ndjson', dateRange })).body).flatMap(({ id }) => id ?? [])
  expect(await ids({ start: at, end: at })).toEqual(['a'])
  expect(await ids({ start: new Date(at).toISOString() })).toEqual(['a'])
  expect(await ids({ start: at + 1 })).toEqual([])
  expect(await ids({ end: at - 1 })).toEqual([])
})

test.each([
  [{ start: 'yesterday' }, 'dateRange.start must be an existing ISO-8601 date or time'],
  [{ start: '2026-02-30' }, 'dateRange.start must be an existing ISO-8601 date or time'],
  [{ end: '2026-02-29T10:00:00Z' }, 'dateRange.end must be an existing ISO-8601 date or time'],
  [{ start: 2, end: 1 }, 'dateRange.start must not be after dateRange.end'],
])('the range %j is INVALID_ARGUMENT', async (dateRange, message) => {
  const { status, body } = await download({ format: 'csv', dateRange })
  expect([status, body.error.message]).toEqual([400, message])
})

test('an unknown organization is NOT_FOUND, an unknown format INVALID_ARGUMENT', async () => {
  expect((await download({ format: 'csv' })).body.error.status).toBe('NOT_FOUND')
  await add([])
  expect((await download({ format: 'xml' })).body.error.status).toBe('INVALID_ARGUMENT')
})

test('a log of several batches is streamed whole', async () => {
  await add(Array.from({ length: 1000 }, (_, i) => activity(`a${i}`)))
  const big = (batch: number) =>
    Array.from({ length: 15 }, (_, i) => activity(`big${batch}-${i}`, { entityData: 'x'.repeat(250_000) }))
  await add(big(0))
  await add(big(1))
  const lines = linesOf((await download({ format: 'ndjson' })).body)
  expect(lines.slice(0, -1).map(({ position }) => position)).toEqual(Array.from({ length: 1030 }, (_, i) => i + 1))
})
