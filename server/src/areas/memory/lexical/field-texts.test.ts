import { expect, test, vi } from 'vitest'
import { stemsOf } from '../words/tokenize.ts'
import { Vocabulary } from '../words/vocabulary.ts'
import { FieldTexts } from './field-texts.ts'
import { placeOf, SEGMENT_SIZE } from './segment.ts'

const wordsOf = (i: number) => [`common`, `often${i % 3}`, `seldom${i % 700}`, `only${i}`]

function fieldOf(count: number): FieldTexts {
  const field = new FieldTexts(new Vocabulary())
  for (let i = 0; i < count; i++) field.add(wordsOf(i))
  return field
}

/** Whether the norm of every text matches the present weights of its stems. */
function isConsistent(field: FieldTexts): boolean {
  for (let text = 0; text < field.count; text++) {
    const weights = Array.from(field.entriesOf(text), (entry) => field.idf[entry >>> 8] ?? 0)
    const norm = field.segmentOf(text).norms[placeOf(text)] ?? 0
    if (Math.abs(norm - Math.hypot(...weights)) > 1e-3 * norm) return false
  }
  return true
}

const idfOf = (field: FieldTexts, stem: string) => field.idf[field.vocabulary.find(stem) ?? -1] ?? 0

test('before the first search a field of several segments is weighed as a whole', () => {
  const field = fieldOf(2 * SEGMENT_SIZE + 100)
  expect(field.isStale).toBe(true)
  field.reweigh()
  expect(field.isStale).toBe(false)
  expect(idfOf(field, 'common')).toBeLessThan(0.1)
  expect(isConsistent(field)).toBe(true)
})

test('later it is reweighed one segment at a time, whatever is added meanwhile; until then the previous weights hold', () => {
  const field = fieldOf(2 * SEGMENT_SIZE)
  field.reweigh()
  const before = idfOf(field, 'often1')
  for (let i = 0; i < SEGMENT_SIZE / 16; i++) field.add(['often1', `later${i}`])
  expect(field.isStale).toBe(false)
  let slices = 1
  for (; field.reweighStep(); slices++) {
    expect(idfOf(field, 'often1')).toBe(before)
    field.add(['often1', `meanwhile${slices}`])
    expect(isConsistent(field)).toBe(true)
  }
  expect(slices).toBe(field.segments.length)
  expect(idfOf(field, 'often1')).toBeLessThan(before)
  expect(isConsistent(field)).toBe(true)
  expect(field.reweighStep()).toBe(false)
})

test('texts that no longer count make the stems that they held rarer', () => {
  const field = fieldOf(SEGMENT_SIZE + 1000)
  field.reweigh()
  const before = idfOf(field, 'often1')
  for (let text = 0; text < field.count; text++) if (text % 3 === 1 && text % 2) field.markRemoved(text)
  field.reweigh()
  while (field.reweighStep());
  expect(idfOf(field, 'often1')).toBeGreaterThan(before)
  expect(isConsistent(field)).toBe(true)
})

test('the language is that of the texts that are left, also when as many have come as have gone', () => {
  const field = new FieldTexts(new Vocabulary())
  const german = stemsOf('Der Text ist für die Leser zu lang und sollte gekürzt werden.')
  const english = stemsOf('The text is too long for the readers and should be cut.')
  for (let i = 0; i < 20; i++) field.add(german)
  expect(field.language).toBe('de')
  for (let i = 0; i < 20; i++) {
    field.markRemoved(i)
    field.add(english)
  }
  expect(field.language).toBe('en')
})

test('the norms of a text in another language are computed once for each language', () => {
  const field = new FieldTexts(new Vocabulary())
  const german = stemsOf('Der Text ist für die Leser zu lang und sollte gekürzt werden.')
  const spanish = stemsOf('El texto es demasiado largo para los lectores y se debería cortar.')
  const { trigrams } = field.vocabulary
  for (let i = 0; i < 3; i++) field.add(german)
  const norm = vi.spyOn(trigrams, 'norm')
  for (let i = 0; i < 3; i++) field.trigramNorms(Uint32Array.of(0, 2))
  expect(norm).toHaveBeenCalledTimes(2)
  for (let i = 0; i < 9; i++) field.add(spanish)
  expect(field.trigramNorms(Uint32Array.of(0, 11))[0]).toBeCloseTo(trigrams.norm(field.entriesOf(0), 'es'))
})
