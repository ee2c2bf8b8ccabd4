import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Language } from './languages.ts'
import { placeOf } from './trigram-places.ts'

// Each test has tables of its own.
beforeEach(() => vi.resetModules())
afterEach(() => vi.restoreAllMocks())

const load = () => import('./prior-frequencies.ts')

test('prepared in turns, the tables are those that are made at once', async () => {
  const atOnce = await load()
  vi.resetModules()
  const prepared = await load()
  await prepared.preparePriors()
  expect(prepared).not.toBe(atOnce)
  for (const stem of ['document', 'approv', 'zzyzx', 'the']) {
    expect(prepared.priorProbability(stem)).toBe(atOnce.priorProbability(stem))
  }
  expect(prepared.trigramWeights('en')).toEqual(atOnce.trigramWeights('en'))
  expect(prepared.priorProbability('document')).toBeGreaterThan(0)
})

test('who asks while they are being prepared has them', async () => {
  const { preparePriors, priorProbability } = await load()
  const preparing = preparePriors()
  const probability = priorProbability('document')
  await Promise.all([preparing, preparePriors()])
  expect(probability).toBeGreaterThan(0)
  expect(priorProbability('document')).toBe(probability)
})

test('the commonest words of other languages are known, unless English has them', async () => {
  const { englishProbability, priorProbability } = await load()
  for (const stem of ['und', 'для', 'nicht', 'の']) {
    expect(priorProbability(stem)).toBeGreaterThan(0.1)
    expect(englishProbability(stem)).toBeLessThan(0.001)
  }
  for (const stem of ['die', 'so', 'care']) expect(priorProbability(stem)).toBe(englishProbability(stem))
})

test('a 3-gram weighs little in the language whose commonest words hold it', async () => {
  const { trigramWeights } = await load()
  const trigramWeight = (trigram: string, language: Language) => trigramWeights(language)[placeOf(trigram)] ?? 0
  expect(trigramWeight('sch', 'de')).toBeLessThan(trigramWeight('sch', 'en'))
  expect(trigramWeight('the', 'en')).toBeLessThan(trigramWeight('the', 'de'))
  expect(trigramWeight(' на', 'ru')).toBeLessThan(trigramWeight(' на', 'en'))
  expect(trigramWeight('зщю', 'ru')).toBe(trigramWeight('зщю', 'en'))
})
