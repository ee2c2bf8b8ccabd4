import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newWorkspace, type Service, startService } from '../../../server/test/running-service.ts'
import { buildProgram, callerOf, precedent } from '../../test/command-line.ts'

let service: Service
let env: Record<string, string>

beforeAll(async () => {
  await buildProgram()
  service = await startService()
})
beforeEach(async () => {
  const ws = await newWorkspace(service)
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
  expect(nothing.output).toContain('No suggestion')
})

test('--json writes what the service returned', async () => {
  const { output } = await precedent(['memory', 'search', 'logo', '--decision', 'approve', '--json'], env)
  expect(JSON.parse(output)).toMatchObject({ results: [] })
})

test.each([
  [['search'], '<query> is missing'],
  [['search', 'a', 'b'], 'Unexpected argument b'],
  [['search', 'a', '--limit', '51'], '--limit takes a number from 1 to 50'],
])('memory %j is called wrongly', async (args, message) => {
  const { code, errors } = await precedent(['memory', ...args], env)
  expect([code, errors]).toEqual([2, expect.stringContaining(message)])
})
