import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StemBytes } from './stem-bytes.ts'

test('each stem keeps the number of its first addition, and its text', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { maxLength: 300 }), (stems) => {
      const bytes = new StemBytes()
      const first = [...new Set(stems.map((stem) => stem.toWellFormed()))]
      const numbers = stems.map((stem) => bytes.idOf(stem.toWellFormed()))
      expect(numbers).toEqual(stems.map((stem) => first.indexOf(stem.toWellFormed())))
      expect(first.map((_, number) => bytes.textOf(number))).toEqual(first)
      expect(first.map((stem) => bytes.find(stem))).toEqual(first.map((_, number) => number))
      expect(bytes.find('no such stem among them')).toBeUndefined()
      const other = new StemBytes()
      other.idOf('before')
      const packed = bytes.packed()
      other.idOf(first.at(-1) ?? 'before')
      const middle = first.length >> 1
      for (let repeated = 0; repeated < 2; repeated++) {
        const ids = new Uint32Array(first.length)
        other.idsOf(packed, ids, 0, middle)
        other.idsOf(packed, ids, middle, first.length)
        expect([...ids]).toEqual(first.map((stem) => other.find(stem)))
      }
      expect(first.map((stem) => other.textOf(other.find(stem) ?? -1))).toEqual(first)
      expect(other.size).toBe(new Set(['before', ...first]).size)
    }),
  )
})
