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
