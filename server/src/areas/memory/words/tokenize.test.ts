import { expect, test, vi } from 'vitest'
import { keptBytes } from '../../../../test/measuring/kept-bytes.ts'
import { shortestTimes } from '../../../../test/measuring/shortest-times.ts'
import { indexedStems, stemsOf, stemsOfQuery } from './tokenize.ts'

test('scripts without spaces are split by dictionary, others at what is no letter or digit', () => {
  expect(stemsOf('東京都に行く ภาษาไทย Running')).toEqual([...['東京', '都', 'に', '行く'], ...['ภาษา', 'ไทย'], 'run'])
})

test('the time for a text without spaces grows with its length, not with the square of it', () => {
  const begun = process.cpuUsage()
  const stems = stemsOf('ひらがな'.repeat(25_000))
  const { user } = process.cpuUsage(begun)
  expect(stems.length).toBeGreaterThan(25_000)
  expect(user / 1000).toBeLessThan(2_000)
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

test('a run of combining marks takes no longer than as many letters', async () => {
  const [marks, letters] = await shortestTimes([
    () => stemsOf('\u0315\u0301\u0323'.repeat(6_000)),
    () => stemsOf('é ü '.repeat(4_500)),
  ])
  expect(marks).toBeLessThan(5 * letters)
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
