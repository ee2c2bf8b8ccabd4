import { beforeAll, beforeEach, expect, test } from 'vitest'
import { buildOnce } from '../../../server/test/process.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../server/test/running-service.ts'
import { callerOf, precedent, startPrecedent } from '../../test/command-line.ts'

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
  const reasons = [
    'The logo is off centre',
    'The logo has the wrong colour',
    'The logo is blurred',
    'The logo is missing',
  ]
  const judgments = reasons.map((reasoning, index) => ({
    recordId: `j${index}`,
    decision: 'reject',
    reasoning,
    actionUser: { userId: `u${index}`, name: 'Ada' },
  }))
  await ws.ok('/v2/memory/judgments/add', { judgments })
})

test('memory search shows similar judgments with their reasons', async () => {
  const { code, output, errors } = await precedent(['memory', 'search', 'blurred logo', '--limit', '2'], env)
  expect(code).toBe(0)
  expect(output).toMatch(/^ *\d+ % {2}reject {2}Ada, .* {2}j2\n +The logo is blurred\n/)
  expect(errors).toContain('2 of 4 judgments')
})

test('memory suggest shows the decision, its basis and its reasons', async () => {
  const { code, output } = await precedent(['memory', 'suggest', 'The logo is blurred and off centre'], env)
  expect(code).toBe(0)
  expect(output).toMatch(
    /^reject {2}\d+ % confident {2}\(\d of \d judgments by \d reviewers, .*\)\n(.*\n)* {2}\+ The logo/,
  )
  const nothing = await precedent(['memory', 'suggest', 'zebra'], env)
  expect([nothing.output, nothing.errors]).toEqual(['No suggestion: no judgment is similar enough to the item.\n', ''])
})

test('memory suggest cites the rules that bear on the item', async () => {
  const rules = '- A logo is never blurred or off centre.\n'
  const file = { base64: btoa(rules), mimeType: 'text/plain', fileName: 'brand.md', fileSize: rules.length }
  await ws.ok('/v2/memory/knowledge/ingest', { source: 'inline', file })
  await service.drainJobs()
  const { output } = await precedent(['memory', 'suggest', 'The logo is blurred and off centre'], env)
  expect(output).toMatch(/\n {2}rule: A logo is never blurred or off centre\. {2}\(brand\.md\)\n$/)
})

test('memory evaluate waits for the server, which measures in the background, and shows its report', async () => {
  const nothing = await precedent(['memory', 'evaluate', '--latest'], env)
  expect([nothing.code, nothing.errors]).toEqual([1, expect.stringContaining('No report is stored')])
  const made = await drainedUntilEnd(['memory', 'evaluate', '--from', '2020-01-01'])
  expect(made).toMatchObject({ code: 0, output: expect.stringMatching(/^4 judgments, of which 4 took a side\./) })
  const latest = await precedent(['memory', 'evaluate', '--latest', '--json'], env)
  expect(JSON.parse(latest.output)).toMatchObject({ status: 'completed', report: { judgments: 4 } })
  expect(latest.errors).toBe('')
  await ws.ok('/v2/memory/evaluate', {})
  const second = await precedent(['memory', 'evaluate'], env)
  expect([second.code, second.errors]).toEqual([1, expect.stringContaining('memory evaluate --latest')])
  expect((await drainedUntilEnd(['memory', 'evaluate', '--latest'])).code).toBe(0)
})

/** Runs a command while the service does its jobs. */
async function drainedUntilEnd(args: string[]) {
  const running = startPrecedent(args, env)
  let over = false
  const ended = running.ended.finally(() => {
    over = true
  })
  while (!over) await service.drainJobs()
  return ended
}

test('--json writes what the service returned', async () => {
  const { output } = await precedent(['memory', 'search', 'logo', '--decision', 'approve', '--json'], env)
  expect(JSON.parse(output)).toMatchObject({ results: [] })
})

test.each([
  [['search'], '<query> is missing'],
  [['search', 'a', 'b'], 'Unexpected argument b'],
  [['search', 'a', '--limit', '51'], '--limit takes a number from 1 to 50'],
  [['evaluate', '--from', 'soon'], '--from takes a date'],
  [['evaluate', '--latest', '--from', '2026-01-31'], '--latest excludes --from'],
])('memory %j is called wrongly', async (args, message) => {
  const { code, errors } = await precedent(['memory', ...args], env)
  expect([code, errors]).toEqual([2, expect.stringContaining(message)])
})
