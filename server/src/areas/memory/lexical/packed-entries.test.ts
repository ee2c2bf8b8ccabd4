import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packEntries, unpackEntries } from './packed-entries.ts'

const MOST_STEMS = 2 ** 24 - 1
const entry = fc.tuple(fc.oneof(fc.nat(300), fc.nat(MOST_STEMS)), fc.integer({ min: 1, max: 255 }))

test('packed entries are read as they were, text by text', () => {
  fc.assert(
    fc.property(fc.array(fc.array(entry, { maxLength: 20 }), { maxLength: 20 }), (texts) => {
      const stems = [...new Set(texts.flat().map(([stem]) => stem))]
      const packed = packEntries(
        texts.map((text) => Uint32Array.from(text, ([stem, f]) => stems.indexOf(stem) * 256 + f)),
      )
      const occurrences = new Uint32Array(stems.length)
      const cursor = { bytes: packed, at: 0 }
      for (const text of texts) {
        const expected = text.map(([stem, f]) => stems.indexOf(stem) * 256 + f)
        expect([...unpackEntries(cursor, text.length, occurrences)]).toEqual(expected)
      }
      expect(cursor.at).toBe(packed.length)
      expect([...occurrences]).toEqual(stems.map((stem) => texts.flat().filter(([other]) => other === stem).length))
    }),
  )
})
