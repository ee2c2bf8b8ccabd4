import { expect, test } from 'vitest'
import { gate } from '../../../test/gate.ts'
import { KeyTurns } from './key-turns.ts'

const stays = { destroyed: false }

/** A call that runs until it is ended. */
function running(turns: KeyTurns, key: string, reader = stays) {
  const { opened, open: end } = gate()
  let hasBegun = false
  const done = turns.inTurn(key, reader, () => {
    hasBegun = true
    return opened
  })
  done.catch(() => {})
  return { end, done, hasBegun: () => hasBegun }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('a key has so many calls at a time; the next one begins when one has ended', async () => {
  const turns = new KeyTurns({ perKey: 2, patienceMs: 5_000 })
  const calls = [running(turns, 'a'), running(turns, 'a'), running(turns, 'a')]
  const other = running(turns, 'b')
  await settle()
  expect([...calls, other].map(({ hasBegun }) => hasBegun())).toEqual([true, true, false, true])
  calls[1]?.end()
  await settle()
  expect(calls[2]?.hasBegun()).toBe(true)
})

test('a call whose turn does not come in time is refused', async () => {
  const turns = new KeyTurns({ perKey: 1, patienceMs: 20 })
  const first = running(turns, 'a')
  const late = running(turns, 'a')
  await expect(late.done).rejects.toMatchObject({ status: 'RESOURCE_EXHAUSTED' })
  first.end()
  await turns.inTurn('a', stays, async () => {})
  expect(late.hasBegun()).toBe(false)
})

test('those that wait begin in their order, each once there is room', async () => {
  const turns = new KeyTurns({ perKey: 2, patienceMs: 5_000 })
  const calls = Array.from({ length: 5 }, () => running(turns, 'a'))
  const begun = () => calls.map(({ hasBegun }) => hasBegun())
  for (const [index, call] of calls.entries()) {
    await settle()
    expect(begun()).toEqual(calls.map((_, other) => other < index + 2))
    call.end()
  }
  await Promise.all(calls.map(({ done }) => done))
})

test('a call that fails makes room', async () => {
  const turns = new KeyTurns({ perKey: 1, patienceMs: 5_000 })
  await expect(turns.inTurn('a', stays, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  await turns.inTurn('a', stays, async () => {})
})

test('a call whose caller has left while it waited is not executed, and takes no turn', async () => {
  const turns = new KeyTurns({ perKey: 1, patienceMs: 5_000 })
  const first = running(turns, 'a')
  const reader = { destroyed: false }
  const left = running(turns, 'a', reader)
  const last = running(turns, 'a')
  reader.destroyed = true
  first.end()
  await expect(left.done).rejects.toMatchObject({ status: 'UNAVAILABLE' })
  expect([left.hasBegun(), last.hasBegun()]).toEqual([false, true])
})

test('a call whose caller leaves while it runs counts until it has ended', async () => {
  const turns = new KeyTurns({ perKey: 1, patienceMs: 5_000 })
  const reader = { destroyed: false }
  running(turns, 'a', reader)
  await settle()
  reader.destroyed = true
  const next = running(turns, 'a')
  await settle()
  expect(next.hasBegun()).toBe(false)
})
