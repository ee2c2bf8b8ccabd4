import { expect, test } from 'vitest'
import { highlightsOf, tellingStems } from './highlights.ts'

const of = (text: string, query: string) => highlightsOf(text, tellingStems(query))

test('highlights are the sentences that share most with the query, in the order of the text', () => {
  const text = 'The logo is fine. No source is named for the savings. It was late. The savings claim lacks a source.'
  expect(of(text, 'a source for the savings claim')).toEqual([
    'No source is named for the savings.',
    'The savings claim lacks a source.',
  ])
})

test('common words alone highlight nothing, unless the query has no others', () => {
  expect(of('It is of the team.', 'the colour of it')).toEqual([])
  expect(of('It is of the team.', 'of the')).toEqual(['It is of the team.'])
})

test('a long sentence is cut around its first match, and at most three are shown', () => {
  const long = `${'and so it went on and on '.repeat(20)}until the evidence came ${'and so it went on '.repeat(20)}`
  const [cut = ''] = of(long, 'evidence')
  expect(cut).toContain('evidence')
  expect(Array.from(cut).length).toBeLessThanOrEqual(160)
  expect(cut).toMatch(/^….*…$/)
  expect(of('The evidence is here. '.repeat(9), 'evidence')).toHaveLength(3)
})

test('a long sentence without blanks is cut around its first match too', () => {
  const long = `${'これは長い文章です'.repeat(30)}偽造品の財布${'とても長い文章が続きます'.repeat(30)}。`
  const [cut = ''] = of(long, '偽造品')
  expect(cut).toContain('偽造品の財布')
  expect(cut).toMatch(/^….*…$/)
})

test('a cut divides no character as people see it, nor does the end of what is read', () => {
  const marked = `${'e\u0301'.repeat(150)} evidence ${'👩🏽‍🚀'.repeat(40)}`
  const [cut = ''] = of(marked, 'evidence')
  expect(cut).toMatch(/^…e\u0301.*evidence (👩🏽‍🚀)+…$/u)
  const ends = ['', 'y'].map((odd) =>
    of(`${'It is so. '.repeat(398)}${odd}evidence evidence ${'😀'.repeat(9)}`, 'evidence'),
  )
  expect(ends.map(([end = '']) => [end.length > 0, end.isWellFormed()])).toEqual([
    [true, true],
    [true, true],
  ])
})
