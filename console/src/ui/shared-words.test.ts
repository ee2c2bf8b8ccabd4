import { expect, test } from 'vitest'
import { askedWords, sharedWords } from './shared-words.ts'

const marked = (text: string, question: string) =>
  sharedWords(text, askedWords(question)).map(({ at, word }) => text.slice(at, at + word.length))

test('marks the words that a question shares with a text, in any of their English endings', () => {
  expect(marked('Refunded twice; no refunds of a fee.', 'Is a refund due?')).toEqual(['Refunded', 'refunds'])
})

test('a word with combining marks is one word, in whichever form it is written', () => {
  const decomposed = 'Cafe\u0301s wurden bewertet'
  expect(marked(decomposed, 'Caf\u00e9s')).toEqual(['Cafe\u0301s'])
  expect(marked('यह किताब नकली है', 'किताब')).toEqual(['किताब'])
})

test('words of a script without blanks are found inside of a run', () => {
  expect(marked('偽造品の出品は禁止されています。', '出品の禁止')).toEqual(['出品', '禁止'])
  expect(marked('禁止されています。', '出品')).toEqual([])
})
