import { expect, test } from 'vitest'
import { gate } from '../../../test/gate.ts'
import { Lanes } from './lanes.ts'

const clock = { now: () => Date.now() }

/** Lanes with tasks that end when their gate opens; `started` has the API keys of those that were started. */
function withTasks() {
  const lanes = new Lanes(clock)
  const started: string[] = []
  const run = (apiKey: string, ends: Promise<void>) =>
    lanes.run(apiKey, () => {
      started.push(apiKey)
      return ends
    })
  return { run, started }
}

test('eight tasks run at a time, and the next starts when one has ended', async () => {
  const { run, started } = withTasks()
  const gates = Array.from({ length: 10 }, gate)
  const ended = gates.map(({ opened }) => run('a', opened))
  await Promise.resolve()
  expect(started).toHaveLength(8)
  gates[3]?.open()
  await ended[3]
  expect(started).toHaveLength(9)
  for (const { open } of gates) open()
  await Promise.all(ended)
})

test('tasks that hang stand aside, at most 16, so that those of other API keys get their lanes', async () => {
  const { run, started } = withTasks()
  const { opened, open } = gate()
  const hanging = Array.from({ length: 40 }, () => run('hangs', opened))
  const others = Array.from({ length: 3 }, () => run('other', Promise.resolve()))
  await Promise.resolve()
  expect(started).toEqual(Array(8).fill('hangs'))
  await Promise.all(others)
  expect(started.filter((apiKey) => apiKey === 'hangs')).toHaveLength(16)
  open()
  await Promise.all(hanging)
})

test('a task that fails gives its lane back', async () => {
  const lanes = new Lanes(clock)
  const failing = Array.from({ length: 8 }, () => lanes.run('a', () => Promise.reject(new Error('refused'))))
  await Promise.allSettled(failing)
  expect(await lanes.run('b', () => Promise.resolve('sent'))).toBe('sent')
})

test('API keys take turns: one with a task gets a lane before the next of one with many', async () => {
  const { run, started } = withTasks()
  const gates = Array.from({ length: 12 }, gate)
  const busy = gates.map(({ opened }) => run('busy', opened))
  const other = run('other', Promise.resolve())
  gates[0]?.open()
  await busy[0]
  await other
  expect(started).toEqual([...Array(8).fill('busy'), 'other', 'busy'])
  for (const { open } of gates) open()
  await Promise.all(busy)
})
