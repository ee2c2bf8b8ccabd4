import { expect, test } from 'vitest'
import { stemsOf } from '../words/tokenize.ts'
import { type Reasoned, Reasonings } from './reasonings.ts'

/** The reasons of four judgments that give one reasoning for a side. */
function reasonsOf(side: Reasoned['side'], reasoning: string): string[] {
  const votes = Array.from({ length: 4 }, () => ({ side, reasoning, stems: [] }))
  const weighed = votes.map((vote) => ({ vote, weight: 1 }))
  return new Reasonings(votes, () => undefined, new Map()).topOf(side, weighed).map(({ text }) => text)
}

test('lists praise under no rejection and blame under no approval, whatever side the judgment took', () => {
  const reasoning = 'The team is experienced and capable. The budget lacks a clear breakdown. The item is a form.'
  expect(reasonsOf('approve', reasoning)).toEqual(['The team is experienced and capable.', 'The item is a form.'])
  expect(reasonsOf('reject', reasoning)).toEqual(['The budget lacks a clear breakdown.', 'The item is a form.'])
})

test('tells what judges before what only states', () => {
  const reasoning = 'The form has a field for names. The field has a form. The form lists a field. The layout is clear.'
  expect(reasonsOf('approve', reasoning)[0]).toBe('The layout is clear.')
})

test('a question is no reason where a statement is', () => {
  const reasoning = 'Is there a plan for the team at all? The budget has a table of costs.'
  expect(reasonsOf('approve', reasoning)).toEqual(['The budget has a table of costs.'])
})

test('no reason ends at the full stop of an abbreviation', () => {
  const reasoning = 'Bitte das Logo in hoher Auflösung einreichen, z. B. SVG-Dateien.'
  expect(reasonsOf('reject', reasoning)).toEqual([reasoning])
})

test('a word of another language is not taken for an English one', () => {
  const reasoning = "Still und klar ist dieses Bild nicht. Le logo n'est plus lisible sur cette affiche."
  expect(reasonsOf('reject', reasoning)).toHaveLength(2)
})

/** The first reason of judgments that each give one reasoning, for an item of these words. */
function firstFor(item: string, reasonings: string[]): string | undefined {
  const votes = reasonings.map((reasoning) => ({ side: 'approve' as const, reasoning, stems: [] }))
  const weighed = votes.map((vote) => ({ vote, weight: 1 }))
  const weights = new Map(stemsOf(item).map((stem) => [stem, 4]))
  return new Reasonings(votes, () => undefined, weights).topOf('approve', weighed)[0]?.text
}

test('tells first what bears on the item', () => {
  const reasonings = ['The budget is clear and precise. The timeline is clear and precise.']
  expect(firstFor('A film without a timeline', reasonings)).toBe('The timeline is clear and precise.')
  expect(firstFor('A film without a budget', reasonings)).toBe('The budget is clear and precise.')
})

test('does not tell first what only one judgment says of its own item', () => {
  const reasonings = [
    'The plan and the costs of the harbour are clear.',
    'The plan is known and clear.',
    'The costs are known.',
    'The costs are clear.',
  ]
  expect(firstFor('A school', reasonings)).toBe('The costs are clear.')
  expect(firstFor('A harbour', reasonings)).toBe('The plan and the costs of the harbour are clear.')
})
