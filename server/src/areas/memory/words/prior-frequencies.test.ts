import { afterEach, beforeEach, expect, test, vi } from 'vitest'

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
  for (const trigram of ['ing', 'doc', 'zqx', '日本語']) {
    expect(prepared.trigramWeight(trigram)).toBe(atOnce.trigramWeight(trigram))
  }
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
