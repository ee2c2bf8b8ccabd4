import { expect, test } from 'vitest'
import type { Allowance, Claimed } from './claim.ts'
import { Claimer } from './claimer.ts'
import { EndpointConcurrency } from './concurrency.ts'
import type { ReadyEndpoint } from './ready-endpoints.ts'

const ready = (apiKey: string): ReadyEndpoint => ({
  apiKey,
  endpointId: 'raw',
  from: 1,
  active: true,
  rateLimited: false,
  ordered: false,
  paced: false,
  nextSendAt: 0,
})

/** A claimer over a queue that gives so many deliveries for each API key. */
function claimerOf(counts: Record<string, number>) {
  const claim = async (allowances: Allowance[]) =>
    allowances.flatMap(({ apiKey, endpointId }) =>
      Array.from({ length: counts[apiKey] ?? 0 }, () => ({ apiKey, endpointId }) as Claimed),
    )
  const concurrency = new EndpointConcurrency(1_000)
  return new Claimer({ queue: { claim }, concurrency, clock: { now: () => 1 }, start() {}, schedule() {} })
}

test('a page has no others if each endpoint had some, and fewer than allowed, also where keys share an id', async () => {
  const page = [ready('one'), ready('two')]
  expect(await claimerOf({ one: 1, two: 2 }).claim(page)).toEqual({ claimed: 3, isAll: true })
  expect(await claimerOf({ one: 0, two: 2 }).claim(page)).toEqual({ claimed: 2, isAll: false })
  expect(await claimerOf({ one: 4, two: 1 }).claim(page)).toEqual({ claimed: 5, isAll: false })
  expect(await claimerOf({ one: 2, two: 2 }).claim(page)).toEqual({ claimed: 4, isAll: true })
})
