import { expect, test } from 'vitest'
import { quoteOf } from './quote.ts'
import { subjectOf } from './subject.ts'

const quoted = (text: string, question: string) => quoteOf(text, subjectOf(question)).snippet

test('the sentence that holds most of what a question is about is quoted', () => {
  const text = 'What is it that we do? The budget is too high.'
  expect(quoted(text, 'What do we do about a budget?')).toBe('The budget is too high.')
})

test.each([
  ['one that asks', 'Is there a roadmap with dates? There is a roadmap.', 'There is a roadmap.'],
  ['one that tells a fact', 'The roadmap has four parts. The roadmap is vague.', 'The roadmap is vague.'],
  ['a heading', 'Roadmap. It has a roadmap of four parts.', 'It has a roadmap of four parts.'],
])('a sentence that judges is quoted rather than %s', (_, text, quote) => {
  expect(quoted(text, 'Is the roadmap given with dates?')).toBe(quote)
})

test.each([
  ['Why was the roadmap rejected?', 'The roadmap lacks dates.'],
  ['Why was the roadmap praised?', 'The roadmap is clear.'],
  ['What are concerns on the roadmap?', 'The roadmap lacks dates.'],
])('%s quotes what judges as it asks', (question, quote) => {
  expect(quoted('The roadmap has four parts. The roadmap is clear. The roadmap lacks dates.', question)).toBe(quote)
})

test('a word as it stands in the question counts more than another of its stem', () => {
  expect(quoted('The market is large. The marketing is small.', 'Is there marketing?')).toBe('The marketing is small.')
})

test('a text that only asks is marked', () => {
  expect(quoteOf('Is there a roadmap?', subjectOf('roadmap')).isQuestion).toBe(true)
})

test('a long sentence is cut at a word, and one word of that length where it must be', () => {
  const cut = quoted(`The plan ${'explains every step '.repeat(20)}.`, 'Which plan?')
  expect(cut).toMatch(/^The plan .* (explains|every|step)…$/)
  expect(cut.length).toBeLessThanOrEqual(240)
  expect(quoted('a'.repeat(500), 'Which plan?')).toBe(`${'a'.repeat(239)}…`)
  expect(quoted('', 'Which plan?')).toBe('')
})

test('of a text with more than 200 sentences, the first are read', () => {
  const said = (sentences: number) => quoted(`${'Ah. '.repeat(sentences)}The budget is clear.`, 'budget')
  expect(said(199)).toBe('The budget is clear.')
  expect(said(200)).toBe('Ah.')
})
