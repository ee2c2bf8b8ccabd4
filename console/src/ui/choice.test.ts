import { expect, test } from 'vitest'
import { idOf } from './choice.ts'

const CHOICES = [
  { id: 'bobby', name: 'Bobby Fisher' },
  { id: 'u-1', name: 'Ana Souza' },
  { id: 'u-2', name: 'Priya Raman' },
  { id: 'u-3', name: 'Priya Nair' },
]

test.each([
  ['an id', 'u-2', 'u-2'],
  ['a name', 'ana souza', 'u-1'],
  ['a word of the name of one alone', 'Ana', 'u-1'],
  ['some words of a name', 'raman, priya', 'u-2'],
])('%s names a choice', (_, text, id) => expect(idOf(text, CHOICES)).toBe(id))

test.each([
  ['the beginning of another id, or of a word', 'bob'],
  ['a word in the names of two', 'priya'],
  ['a mark', '-'],
  ['nothing', ''],
])('%s is the text itself', (_, text) => expect(idOf(text, CHOICES)).toBe(text))
