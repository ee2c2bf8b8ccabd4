import { expect, test } from 'vitest'
import { FruitlessClaims, freePlaces } from './places.ts'

const sending = (count: number, bySendgrid: boolean) =>
  Array.from({ length: count }, (_, n) => ({ apiKey: `key${n}`, bySendgrid }))

test('both providers share the places until one of them has few left, which are for API keys that have none', () => {
  expect(freePlaces([])).toEqual([{ count: 12, perKey: 4 }])
  expect(freePlaces(sending(12, false))).toEqual([
    { count: 4, perKey: 1, bySendgrid: false },
    { count: 48, perKey: 4, bySendgrid: true },
  ])
  expect(freePlaces(sending(16, false))).toEqual([{ count: 48, perKey: 4, bySendgrid: true }])
})

test('a claim that found none is not made again for a second, while the API keys that it passed over are busy', () => {
  const claims = new FruitlessClaims()
  const [both, ofSendgrid] = [
    { count: 1, perKey: 4 },
    { count: 1, perKey: 4, bySendgrid: true },
  ]
  const [none, busy] = [new Set<string>(), new Set(['a', 'b'])]
  claims.note(both, busy, 0, 5_000)
  expect(claims.includes(both, busy, 5_999)).toBe(true)
  expect(claims.includes(both, busy, 6_000)).toBe(false)
  expect(claims.includes(both, new Set(['a']), 5_999)).toBe(false)
  expect(claims.includes(ofSendgrid, busy, 5_999)).toBe(false)
  claims.note(both, busy, 1, 5_000)
  expect(claims.includes(both, busy, 5_999)).toBe(false)
  // A claim that passes over nobody has seen that there is no email; it costs nothing to ask again.
  claims.note(both, none, 0, 5_000)
  expect(claims.includes(both, none, 5_000)).toBe(false)
  claims.note(ofSendgrid, none, 0, 5_000)
  expect(claims.includes(ofSendgrid, none, 5_000)).toBe(true)
})
