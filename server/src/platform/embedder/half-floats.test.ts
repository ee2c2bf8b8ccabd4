import { expect, test } from 'vitest'
import { fromHalfFloats } from './half-floats.ts'

test.each([
  [0x0000, 0],
  [0x3c00, 1],
  [0xc000, -2],
  [0x7bff, 65504],
  [0x0001, 2 ** -24],
  [0x03ff, 1023 * 2 ** -24],
  [0x3555, 0.333251953125],
  [0x7c00, Number.POSITIVE_INFINITY],
  [0xfc00, Number.NEGATIVE_INFINITY],
  [0x7e00, Number.NaN],
])('the bits %i are %d', (bits, value) => {
  expect([...fromHalfFloats(Uint16Array.of(bits))]).toEqual([value])
})
