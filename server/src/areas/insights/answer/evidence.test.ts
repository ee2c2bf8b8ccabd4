import { expect, test } from 'vitest'
import { distinct, type Evidence, snippetOf } from './evidence.ts'

test('the sentence with the rarer words of the question is quoted', () => {
  const text = 'What is it that we do? The budget is too high.'
  expect(snippetOf(text, 'What do we do about a budget?')).toBe('The budget is too high.')
})

test('a long sentence is cut at a word, and one word of that length where it must be', () => {
  const cut = snippetOf(`The plan ${'explains every step '.repeat(20)}.`, 'Which plan?')
  expect(cut).toMatch(/^The plan .* (explains|every|step)…$/)
  expect(cut.length).toBeLessThanOrEqual(240)
  expect(snippetOf('a'.repeat(500), 'Which plan?')).toBe(`${'a'.repeat(239)}…`)
  expect(snippetOf('', 'Which plan?')).toBe('')
})

test('a sentence that the same reviewer repeats is quoted once', () => {
  const said = (id: string, text: string, label = 'Ann'): Evidence => ({ id, kind: 'judgment', label, text })
  const evidence = [
    said('a', 'No budget is given. Sorry.'),
    said('b', 'Hello. No budget is given.'),
    said('c', 'No budget is given.', 'Bob'),
  ]
  expect(distinct(evidence, 'Is there a budget?').map(({ id }) => id)).toEqual(['a', 'c'])
})
