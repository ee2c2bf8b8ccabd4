import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EndpointConcurrency } from './concurrency.ts'

const endpoint = (n: number) => ({ apiKey: 'key', endpointId: `endpoint-${n}` })
const endpoints = (count: number, first = 0) => Array.from({ length: count }, (_, n) => endpoint(first + n))

/** Acquires all permits that the quotas allow, while no send ends. Returns how many. */
function fill(concurrency: EndpointConcurrency, waiting: ReturnType<typeof endpoints>): number {
  let taken = 0
  for (let before = -1; before < taken; ) {
    before = taken
    for (const [i, quota] of concurrency.quotas(waiting, 256).entries()) {
      for (let n = 0; n < quota; n++, taken++) concurrency.acquire(waiting[i] ?? endpoint(0))
    }
  }
  return taken
}

describe('permits for sends in flight', () => {
  test('an endpoint without a success gets 4; each success adds one, up to 256', () => {
    const concurrency = new EndpointConcurrency(1024)
    const [one] = [endpoint(1)]
    expect(concurrency.quotas([one], 256)).toEqual([4])
    for (let n = 0; n < 20; n++) concurrency.recordOutcome(one, true)
    expect(concurrency.quotas([one], 256)).toEqual([24])
    for (let n = 0; n < 300; n++) concurrency.recordOutcome(one, true)
    expect(concurrency.quotas([one], 256)).toEqual([256])
  })

  test('each failure halves what the successes added', () => {
    const concurrency = new EndpointConcurrency(1024)
    for (let n = 0; n < 100; n++) concurrency.recordOutcome(endpoint(1), true)
    concurrency.recordOutcome(endpoint(1), false)
    expect(concurrency.quotas([endpoint(1)], 256)).toEqual([54])
    for (let n = 0; n < 10; n++) concurrency.recordOutcome(endpoint(1), false)
    expect(concurrency.quotas([endpoint(1)], 256)).toEqual([4])
  })

  test('however many new endpoints hang at once, half of the permits are left to proven ones', () => {
    const concurrency = new EndpointConcurrency(1024)
    concurrency.recordOutcome(endpoint(0), true)
    const ofManyKeys = endpoints(500, 1).map((each, n) => ({ ...each, apiKey: `k${n}` }))
    expect(fill(concurrency, ofManyKeys)).toBe(512)
    expect(concurrency.quotas([endpoint(0), endpoint(501)], 256)).toEqual([5, 0])
  })

  test('however many new endpoints of an API key hang at once, new ones of another are not kept waiting', () => {
    const concurrency = new EndpointConcurrency(1024)
    expect(fill(concurrency, endpoints(500))).toBe(384)
    expect(concurrency.quotas([endpoint(501), { apiKey: 'other', endpointId: 'new' }], 256)).toEqual([0, 4])
  })

  test.each([
    ['other API keys', 1, 256],
    ['other API keys', 8, 90],
    ['other API keys', 100, 8],
    ['its own API key', 1, 256],
    ['its own API key', 8, 64],
    ['its own API key', 100, 5],
  ])(
    'when proven endpoints of %s hang, %i of them, another still gets %i permits or more',
    (whose, count, expected) => {
      const concurrency = new EndpointConcurrency(1024)
      const hanging = endpoints(count).map((each, n) =>
        whose === 'its own API key' ? each : { ...each, apiKey: `k${n}` },
      )
      for (const each of [...hanging, endpoint(1000)])
        for (let n = 0; n < 300; n++) concurrency.recordOutcome(each, true)
      expect(fill(concurrency, hanging)).toBeLessThan(1024)
      expect(concurrency.quotas([endpoint(1000)], 256)[0]).toBeGreaterThanOrEqual(expected)
    },
  )

  test('the permits of a batch are shared equally among API keys, however many endpoints each has', () => {
    const concurrency = new EndpointConcurrency(1024)
    const alone = { apiKey: 'other', endpointId: 'alone' }
    const waiting = [...endpoints(99), alone]
    for (const each of waiting) for (let n = 0; n < 300; n++) concurrency.recordOutcome(each, true)
    const quotas = concurrency.quotas(waiting, 256)
    expect(quotas.at(-1)).toBe(128)
    expect(Math.max(...quotas.slice(0, -1))).toBe(2)
  })

  test('an API key whose endpoints all hang leaves a quarter of the permits to others', () => {
    const concurrency = new EndpointConcurrency(1024)
    const hanging = endpoints(500)
    const alone = { apiKey: 'other', endpointId: 'alone' }
    for (const each of [...hanging, alone]) for (let n = 0; n < 300; n++) concurrency.recordOutcome(each, true)
    expect(fill(concurrency, hanging)).toBeLessThanOrEqual(768)
    expect(concurrency.quotas([alone], 256)[0]).toBeGreaterThan(90)
  })

  test('when a send ends its endpoint may have another; its permit is free after release', () => {
    const concurrency = new EndpointConcurrency(1024)
    for (let n = 0; n < 4; n++) concurrency.acquire(endpoint(1))
    expect(concurrency.quotas([endpoint(1)], 256)).toEqual([0])
    concurrency.releaseEndpoint(endpoint(1))
    expect(concurrency.quotas([endpoint(1)], 256)).toEqual([1])
    expect(concurrency.free).toBe(1020)
    concurrency.release()
    expect(concurrency.free).toBe(1021)
  })

  test('the sends in flight never exceed the permits or a limit, and all permits come back', () => {
    const step = fc.record({
      act: fc.constantFrom('claim', 'succeed', 'fail'),
      n: fc.nat(11),
      waiting: fc.uniqueArray(fc.nat(11), { minLength: 1 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const concurrency = new EndpointConcurrency(150)
        const inFlight = new Map<number, number>()
        const count = (n: number) => inFlight.get(n) ?? 0
        const total = () => [...inFlight.values()].reduce((sum, each) => sum + each, 0)
        for (const { act, n, waiting } of steps) {
          if (act === 'claim') {
            const quotas = concurrency.quotas(waiting.map(endpoint), 30)
            for (const [i, each] of waiting.entries()) {
              for (let left = quotas[i] ?? 0; left > 0; left--) {
                concurrency.acquire(endpoint(each))
                inFlight.set(each, count(each) + 1)
              }
              expect(count(each)).toBeLessThanOrEqual(256)
            }
          } else if (count(n) > 0) {
            concurrency.recordOutcome(endpoint(n), act === 'succeed')
            concurrency.releaseEndpoint(endpoint(n))
            concurrency.release()
            inFlight.set(n, count(n) - 1)
          }
          expect(concurrency.free).toBe(150 - total())
          expect(concurrency.free).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })
})
