import { expect, test } from 'vitest'
import { mayBeForms } from './word-forms.ts'

test.each([
  ['bild', 'bilder', true],
  ['vertrag', 'verträgen', true],
  ['haus', 'häuser', true],
  ['смета', 'сметы', true],
  ['отчёт', 'отчетах', true],
  ['zdjęcie', 'zdjęcia', true],
  ['afiş', 'afişler', true],
  ['fatura', 'faturalarda', true],
  ['kép', 'képek', true],
  ['사진이', '사진을', true],
  ['صورة', 'صورتان', false],
  ['wort', 'wortlaut', false],
  ['texte', 'textile', false],
  ['capital', 'capitolo', false],
  ['tarte', 'tarif', false],
  ['um', 'uma', false],
  ['bild', 'wild', false],
])('%s and %s may be forms of one word: %s', (a, b, may) => {
  expect([mayBeForms(a, b), mayBeForms(b, a)]).toEqual([may, may])
})
