import { expect, test } from 'vitest'
import { nameReplacer } from './name-replacer.ts'

const replaced = (text: string, ...names: string[]) => nameReplacer(new Set(names), '…')(text)

test.each<[what: string, text: string, names: string[], left: string]>([
  ['every occurrence goes, at the ends too', 'Ada saw Ada', ['Ada'], '… saw …'],
  ['a part of a longer word stays', 'Adana, XAda, Ada1 and Ada', ['Ada'], 'Adana, XAda, Ada1 and …'],
  ['signs around a name are no part of it', '(Ada)@Ada_', ['Ada'], '(…)@…_'],
  ['letters outside of the first plane are letters', '𝒜Ada Ada𝒜 Ada', ['Ada'], '𝒜Ada Ada𝒜 …'],
  ['a name of signs may stand anywhere', 'x{{ada}}y', ['{{ada}}'], 'x…y'],
  ['of names that begin together the longest goes', 'Ada Lovelace and Ada', ['Ada', 'Ada Lovelace'], '… and …'],
  ['the shorter one goes where the longer is none', 'Ada Lovelaces', ['Ada', 'Ada Lovelace'], '… Lovelaces'],
  ['names of one character', 'X, XX and 🦉', ['X', '🦉'], '…, XX and …'],
  ['without names nothing goes', 'Ada', [], 'Ada'],
])('%s', (_, text, names, left) => {
  expect(replaced(text, ...names)).toBe(left)
})

test('a text is gone through once, however many names there are', () => {
  const looked: string[] = []
  class Names extends Set<string> {
    override has(name: string) {
      looked.push(name)
      return super.has(name)
    }
  }
  const names = Array.from({ length: 5_000 }, (_, n) => `User ${n}`)
  const text = 'A user said to User 77 that nobody but User 4999 and User X knows. '.repeat(10)
  expect(nameReplacer(new Names(names), '…')(text)).toBe(
    'A user said to … that nobody but … and User X knows. '.repeat(10),
  )
  expect(looked.length).toBeLessThan(text.length)
})
