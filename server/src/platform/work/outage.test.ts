import { expect, test } from 'vitest'
import { Outage } from './outage.ts'

/** What an outage logs, in a time that stands still until it is moved on. */
function watched() {
  let now = 0
  const lines: object[] = []
  const line = (level: string) => (fields: object, message: string) => void lines.push({ level, ...fields, message })
  const log = { error: line('error'), info: line('info') }
  const outage = new Outage(log as never, () => now)
  return {
    outage,
    lines: () => lines.splice(0),
    pass: (seconds: number) => {
      now += seconds * 1000
    },
  }
}

const away = 'the database does not answer the workers'
const back = 'the database answers the workers again'

test('the first failure is told at once, and then each minute how many there were', () => {
  const { outage, lines, pass } = watched()
  outage.failed('down', { source: 'jobs' })
  expect(lines()).toEqual([{ level: 'error', err: 'down', source: 'jobs', failures: 1, message: away }])
  for (let i = 0; i < 59; i++) {
    pass(1)
    for (let source = 0; source < 10; source++) outage.failed('down')
  }
  expect(lines()).toEqual([])
  pass(1)
  outage.failed('still down')
  expect(lines()).toEqual([{ level: 'error', err: 'still down', failures: 591, message: away }])
})

test('an answer three seconds after the last failure is told as the end, with all failures, once', () => {
  const { outage, lines, pass } = watched()
  outage.answered()
  outage.failed('down')
  pass(30)
  outage.failed('down')
  pass(2)
  outage.answered()
  expect(lines()).toMatchObject([{ failures: 1, message: away }])
  pass(1)
  outage.answered()
  outage.answered()
  expect(lines()).toEqual([{ level: 'info', failures: 2, seconds: 30, message: back }])
  outage.failed('down again')
  expect(lines()).toMatchObject([{ err: 'down again', failures: 1, message: away }])
})
