import { beforeAll, beforeEach, expect, test } from 'vitest'
import { buildOnce } from '../../../server/test/process.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../server/test/running-service.ts'
import { callerOf, precedent } from '../../test/command-line.ts'

let service: Service
let ws: TestWorkspace
let env: Record<string, string>

beforeAll(async () => {
  await buildOnce()
  service = await startService()
})
beforeEach(async () => {
  ws = await newWorkspace(service)
  env = callerOf(service, ws)
  await ws.ok('/v2/workspace/domains/add', { domains: ['a.example.com'] })
})

const linesOf = ({ output }: { output: string }) => output.trim().split('\n')

test('audit list shows the latest changes of the workspace, and filters them', async () => {
  const all = linesOf(await precedent(['audit', 'list'], env))
  expect(all).toEqual([
    expect.stringContaining('/v2/workspace/domains/add'),
    expect.stringContaining('/v2/workspace/create'),
  ])
  const ofKey = linesOf(await precedent(['audit', 'list', '--api-key', ws.apiKey, '--json'], env))
  expect(ofKey.map((line) => JSON.parse(line))).toMatchObject([{ actor: ws.apiKey, door: 'api', apiKey: ws.apiKey }])
  const before = await precedent(['audit', 'list', '--to', '2020-01-01'], env)
  expect([before.code, before.output]).toEqual([0, ''])
  expect(linesOf(await precedent(['audit', 'list', '--last', '1'], env))).toHaveLength(1)
  // A time without a zone is in UTC, wherever the machine is.
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString().slice(0, 16)
  const inTokyo = await precedent(['audit', 'list', '--to', inAnHour], { ...env, TZ: 'Asia/Tokyo' })
  expect(linesOf(inTokyo)).toHaveLength(2)
})

test('audit verify shows an anchor that a later check takes, and exits with 1 when the records do not continue it', async () => {
  const first = await precedent(['audit', 'verify'], env)
  const [, anchor = ''] = /^unchanged: 2 records, anchor (\S+)\n$/.exec(first.output) ?? []
  await ws.ok('/v2/workspace/domains/add', { domains: ['b.example.com'] })
  expect(await precedent(['audit', 'verify', '--anchor', anchor], env)).toMatchObject({ code: 0 })
  const cut = await precedent(['audit', 'verify', '--anchor', `9:${'0'.repeat(64)}`], env)
  expect([cut.code, cut.errors]).toEqual([1, expect.stringContaining('The records do not reach the anchor')])
  const other = await precedent(['audit', 'verify', '--anchor', `1:${'0'.repeat(64)}`], env)
  expect([other.code, other.errors]).toEqual([1, expect.stringMatching(/The record with seq \d+ does not fit/)])
})

test('audit export writes lines of JSON, or CSV; the generic call does too', async () => {
  const lines = linesOf(await precedent(['audit', 'export'], env)).map((line) => JSON.parse(line))
  expect(lines.at(-1)).toEqual({ kind: 'end', records: 3 })
  const csv = await precedent(['audit', 'export', '--csv', '--action', '/v2/workspace/domains/add'], env)
  expect(linesOf(csv)).toHaveLength(3)
  const called = await precedent(['call', 'exportAudit', '--format', 'ndjson'], env)
  expect([called.code, called.output]).toEqual([0, expect.stringContaining('/v2/workspace/domains/add')])
})

test.each([
  [['verify', '--anchor', '7'], '--anchor takes <records>:<head>'],
  [['list', '--from', 'soon'], '--from takes a date'],
  [['list', '--last', 'ten'], '--last takes a number'],
])('audit %j is refused: %s', async (args, why) => {
  const { code, errors } = await precedent(['audit', ...args], env)
  expect(code).not.toBe(0)
  expect(errors).toContain(why)
})
