import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Services } from '../../../platform/context.ts'
import { attempt } from './attempt.ts'
import type { Claimed } from './claim.ts'

/** How many of five deliveries, begun together, have sent: at once, after a turn of the event loop, at last. */
async function begun(payload: string) {
  let count = 0
  const request = async () => {
    count++
    return { status: 200, headers: {}, body: Buffer.alloc(0), durationMs: 1 }
  }
  const ignore = () => {}
  const metrics = { deliveryLatency: { observe: ignore }, deliveries: { inc: ignore } }
  const services = { clock: { now: Date.now }, outbound: { request }, metrics } as unknown as Services
  const claimed = { slot: null, payload, kind: 'raw', publicKey: null } as Claimed
  const sending = Array.from({ length: 5 }, () => attempt(claimed, services, () => ''))
  const counts = [count]
  await setImmediate()
  counts.push(count)
  await Promise.all(sending)
  return [...counts, count]
}

test('small bodies are made at once, large ones each in a turn of the event loop of its own', async () => {
  expect(await begun('{"a":1}')).toEqual([5, 5, 5])
  const [atOnce, afterTurn = 5, atLast] = await begun(JSON.stringify({ a: 'x'.repeat(100_000) }))
  expect([atOnce, afterTurn <= 2, atLast]).toEqual([0, true, 5])
})
