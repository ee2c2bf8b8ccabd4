import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EndpointConcurrency } from './concurrency.ts'

const endpoint = (n: number) => ({ apiKey: 'key', endpointId: `endpoint-${n}` })
const endpoints = (count: number, first = 0) => Array.from({ length: count }, (_, n) => endpoint(first + n))

/** Takes what may be taken, again and again, as long as nobody answers. */
function fill(places: EndpointConcurrency, waiting: ReturnType<typeof endpoints>): number {
  let taken = 0
  for (let before = -1; before < taken; ) {
    before = taken
    for (const [i, quota] of places.quotas(waiting, 256).entries()) {
      for (let n = 0; n < quota; n++, taken++) places.acquire(waiting[i] ?? endpoint(0))
    }
  }
  return taken
}

describe('places for sends under way', () => {
  test('an endpoint that never answered well gets 4, one that did gets more with each success, up to 256', () => {
    const places = new EndpointConcurrency(1024)
    const [one] = [endpoint(1)]
    expect(places.quotas([one], 256)).toEqual([4])
    for (let n = 0; n < 20; n++) places.recordOutcome(one, true)
    expect(places.quotas([one], 256)).toEqual([24])
    for (let n = 0; n < 300; n++) places.recordOutcome(one, true)
    expect(places.quotas([one], 256)).toEqual([256])
  })

  test('each failure halves what was earned', () => {
    const places = new EndpointConcurrency(1024)
    for (let n = 0; n < 100; n++) places.recordOutcome(endpoint(1), true)
    places.recordOutcome(endpoint(1), false)
    expect(places.quotas([endpoint(1)], 256)).toEqual([54])
    for (let n = 0; n < 10; n++) places.recordOutcome(endpoint(1), false)
    expect(places.quotas([endpoint(1)], 256)).toEqual([4])
  })

  test('however many new endpoints hang at once, half of the places are left to those that answered', () => {
    const places = new EndpointConcurrency(1024)
    places.recordOutcome(endpoint(0), true)
    expect(fill(places, endpoints(500, 1))).toBe(512)
    expect(places.quotas([endpoint(0), endpoint(501)], 256)).toEqual([5, 0])
  })

  test.each([
    [1, 256],
    [8, 90],
    [100, 8],
  ])('when %i endpoints hang that had answered, another still gets %i places or more', (count, expected) => {
    const places = new EndpointConcurrency(1024)
    const hanging = endpoints(count)
    for (const each of [...hanging, endpoint(1000)]) for (let n = 0; n < 300; n++) places.recordOutcome(each, true)
    expect(fill(places, hanging)).toBeLessThan(1024)
    expect(places.quotas([endpoint(1000)], 256)[0]).toBeGreaterThanOrEqual(expected)
  })

  test('one that has answered leaves its endpoint room for another, and its place is free when it is given back', () => {
    const places = new EndpointConcurrency(1024)
    for (let n = 0; n < 4; n++) places.acquire(endpoint(1))
    expect(places.quotas([endpoint(1)], 256)).toEqual([0])
    places.releaseEndpoint(endpoint(1))
    expect(places.quotas([endpoint(1)], 256)).toEqual([1])
    expect(places.free).toBe(1020)
    places.release()
    expect(places.free).toBe(1021)
  })

  test('never more are under way than there are places, nor at one endpoint more than it may have, and all come back', () => {
    const step = fc.record({
      act: fc.constantFrom('claim', 'succeed', 'fail'),
      n: fc.nat(11),
      waiting: fc.uniqueArray(fc.nat(11), { minLength: 1 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const places = new EndpointConcurrency(150)
        const held = new Map<number, number>()
        const count = (n: number) => held.get(n) ?? 0
        const total = () => [...held.values()].reduce((sum, each) => sum + each, 0)
        for (const { act, n, waiting } of steps) {
          if (act === 'claim') {
            const quotas = places.quotas(waiting.map(endpoint), 30)
            for (const [i, each] of waiting.entries()) {
              for (let left = quotas[i] ?? 0; left > 0; left--) {
                places.acquire(endpoint(each))
                held.set(each, count(each) + 1)
              }
              expect(count(each)).toBeLessThanOrEqual(256)
            }
          } else if (count(n) > 0) {
            places.recordOutcome(endpoint(n), act === 'succeed')
            places.releaseEndpoint(endpoint(n))
            places.release()
            held.set(n, count(n) - 1)
          }
          expect(places.free).toBe(150 - total())
          expect(places.free).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })
})
