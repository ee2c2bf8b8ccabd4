import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activity, newLog, type TestLog } from '../../../server/test/activity-log.ts'
import { buildOnce } from '../../../server/test/process.ts'
import { type Service, startService } from '../../../server/test/running-service.ts'
import { callerOf, precedent, startPrecedent } from '../../test/command-line.ts'

let service: Service
let log: TestLog
let env: Record<string, string>

beforeAll(async () => {
  await buildOnce()
  service = await startService()
})
beforeEach(async () => {
  log = await newLog(service)
  env = callerOf(service, log.ws)
})

test('activities tail shows the last ones, then each new one once, the oldest first', async () => {
  await log.add([activity('a1'), activity('a2'), activity('a3')])
  const running = startPrecedent(['activities', 'tail', 'acme', '--last', '2', '--interval', '0.2', '--json'], env)
  const ids = () =>
    running
      .output()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).id)
  await vi.waitFor(() => expect(ids()).toEqual(['a2', 'a3']), 15_000)
  await log.add([activity('a4')])
  await log.add([activity('a5')])
  await vi.waitFor(() => expect(ids()).toEqual(['a2', 'a3', 'a4', 'a5']), 15_000)
  running.interrupt()
  await running.ended
})

test('activities tail names who did what, for people', async () => {
  await log.add([activity('a1')])
  const { code, output } = await precedent(['activities', 'tail', 'acme', '--no-follow'], env)
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}comment\.add .*Ada {2}plan/),
  ])
})

test('activities tail says at once that there are none, and goes on', async () => {
  const running = startPrecedent(['activities', 'tail', 'acme', '--interval', '0.2'], env)
  await vi.waitFor(() => expect(running.errors()).toContain('There are none yet.'), 15_000)
  await log.add([activity('a1')])
  await vi.waitFor(() => expect(running.output()).toContain('comment.add'), 15_000)
  running.interrupt()
  await running.ended
})

test('activities verify shows an anchor that a later check takes', async () => {
  await log.add([activity('a1')])
  const first = await precedent(['activities', 'verify', 'acme'], env)
  const [, anchor = ''] = /^unchanged: 1 entries, anchor (\S+)\n$/.exec(first.output) ?? []
  await log.add([activity('a2')])
  expect(await precedent(['activities', 'verify', 'acme', '--anchor', anchor], env)).toMatchObject({ code: 0 })
})

test('activities verify exits with 1 and says where a changed log is broken', async () => {
  await log.add([activity('a1'), activity('a2')])
  const wrong = `2:${'0'.repeat(64)}`
  const { code, output, errors } = await precedent(['activities', 'verify', 'acme', '--anchor', wrong], env)
  expect([code, output]).toEqual([1, expect.stringMatching(/^changed: 2 entries/)])
  expect(errors).toContain('The log is broken at entry')
})

test('activities export writes lines of JSON, or CSV', async () => {
  await log.add([activity('a1'), activity('a2')])
  const lines = await precedent(['activities', 'export', 'acme'], env)
  expect(lines.output.trim().split('\n').length).toBeGreaterThanOrEqual(2)
  expect(() =>
    lines.output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).not.toThrow()
  const csv = await precedent(['activities', 'export', 'acme', '--csv', '--from', '2020-01-01'], env)
  expect([csv.code, csv.output]).toEqual([0, expect.stringContaining('a2')])
  const nowhere = await precedent(['activities', 'export', 'nowhere'], env)
  expect([nowhere.code, nowhere.errors]).toEqual([1, expect.stringContaining('NOT_FOUND')])
})

test.each([
  [['tail', 'acme', '--last', 'ten'], '--last takes a number'],
  [['tail'], '<organization> is missing'],
  [['verify', 'acme', '--anchor', '7'], '--anchor takes <count>:<head>'],
])('activities %j is called wrongly', async (args, message) => {
  const { code, errors } = await precedent(['activities', ...args], env)
  expect([code, errors]).toEqual([2, expect.stringContaining(message)])
})
