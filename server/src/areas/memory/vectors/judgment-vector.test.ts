import fc from 'fast-check'
import { expect, test } from 'vitest'
import { vectorLiteral } from './judgment-vector.ts'

test('a vector as text says each element to eight decimal places', () => {
  fc.assert(
    fc.property(fc.float32Array({ minLength: 1, maxLength: 50, noNaN: true, min: -1, max: 1 }), (vector) => {
      const read = vectorLiteral(vector).slice(1, -1).split(',').map(Number)
      expect(read).toHaveLength(vector.length)
      for (const [i, value] of read.entries()) expect(Math.abs(value - (vector[i] ?? Number.NaN))).toBeLessThan(5.1e-9)
    }),
  )
})
