import { expect, test, vi } from 'vitest'
import { keptBytes } from '../../../../test/measuring/kept-bytes.ts'
import { indexedStems, stemsOf, stemsOfQuery } from './tokenize.ts'

test('scripts without spaces are split by dictionary, others at what is no letter or digit', () => {
  expect(stemsOf('東京都に行く ภาษาไทย Running')).toEqual([...['東京', '都', 'に', '行く'], ...['ภาษา', 'ไทย'], 'run'])
})

test('a text without spaces is cut piece by piece, as the time to cut one grows with the square of its length', () => {
  const text = 'ひらがな'.repeat(25_000)
  const cut = vi.spyOn(Intl.Segmenter.prototype, 'segment')
  const stems = stemsOf(text)
  const lengths = cut.mock.calls.map(([piece]) => piece.length)
  vi.restoreAllMocks()
  expect(stems.length).toBeGreaterThan(25_000)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(500)
  expect(lengths.length).toBeLessThan(250)
})

test('a long text without spaces is split between characters', () => {
  const astral = '𠮷'
  expect(stemsOf(astral.repeat(1_001)).every((stem) => stem.isWellFormed())).toBe(true)
  expect(stemsOf(astral.repeat(1_001)).join('')).toBe(astral.repeat(1_001))
})

test('short runs of a script without spaces are cut together, each as if it stood alone', () => {
  const runs = ['東京都に行く', 'ひら', 'a漢1字', 'ภาษาไทย', '漢', 'カナ', '漢字'.repeat(400)]
  const cut = vi.spyOn(Intl.Segmenter.prototype, 'segment')
  const stems = stemsOf(`${runs.join('。')}${'。漢字'.repeat(5_000)}`)
  expect(cut.mock.calls.length).toBeLessThan(50)
  vi.restoreAllMocks()
  expect(stems).toEqual([...runs.flatMap((run) => stemsOf(run)), ...stemsOf('漢字。'.repeat(5_000))])
})

test('a run of combining marks is cut off first, as the time to normalize it grows with the square of its length', () => {
  const normalize = vi.spyOn(String.prototype, 'normalize')
  const stems = stemsOf(`a${'\u0315\u0301\u0323'.repeat(6_000)} word`)
  const texts = normalize.mock.contexts.map(String)
  vi.restoreAllMocks()
  expect(stems).toEqual([expect.stringMatching(/^\p{L}\p{M}*$/u), 'word'])
  expect(texts).not.toEqual([])
  for (const text of texts) expect(text).not.toMatch(/\p{M}{31}/u)
})

test.each(['漢', '漢字。', '漢字', 'word ', 'ﷺ '])(
  'of a long text of %s, the first 5,000 stems are indexed and queried',
  (unit) => {
    const text = unit.repeat(12_000)
    const stems = stemsOf(text)
    expect(stems.length).toBeGreaterThan(5_000)
    expect(indexedStems(text)).toEqual(stems.slice(0, 5_000))
    expect(stemsOfQuery(text)).toEqual(stems.slice(0, 5_000))
  },
)

test('a query is cut once', () => {
  const cut = vi.spyOn(Intl.Segmenter.prototype, 'segment')
  const query = `東京都に行く${'!'.repeat(10)}`
  expect(stemsOfQuery(query)).toEqual(['東京', '都', 'に', '行く'])
  expect(stemsOfQuery(`${query}`)).toEqual(['東京', '都', 'に', '行く'])
  expect(cut).toHaveBeenCalledTimes(1)
  vi.restoreAllMocks()
})

test('a remembered word keeps nothing of the text that it was read from', () => {
  const text = 'the plan is good '.repeat(6_000)
  const kept = keptBytes(() => {
    for (let i = 0; i < 300; i++) stemsOf(`${text} unheardofword${String.fromCharCode(97 + (i % 26), 97 + i / 26)}`)
  })
  expect(kept).toBeLessThan(10_000_000)
})
