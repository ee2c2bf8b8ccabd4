import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createLexicalIndex } from '../lexical/lexical-index.ts'
import { wordingOf } from './other-forms.ts'

function wording(query: string, ...texts: string[]) {
  const index = createLexicalIndex()
  for (const reasoning of texts) {
    index.upsert({
      key: randomUUID(),
      organization: null,
      document: null,
      decision: 'reject',
      judgeType: 'human',
      contentType: null,
      reviewerId: null,
      createdAt: 0,
      reasoning,
      content: '',
    })
  }
  return wordingOf(index, { field: 'review', query, scope: {}, limit: 1 })
}

const GERMAN = ['Das Bild auf der Seite ist zu dunkel.', 'Es ist nicht klar, was die Bildern fehlt.']

test('a query is worded with the forms of its words that judgments hold, which tell as much as the commonest', () => {
  const { query, weights, forms } = wording('Warum Bilder?', ...GERMAN, ...GERMAN.slice(1))
  expect(Object.fromEntries(forms ?? [])).toEqual({ bild: 'bilder', bildern: 'bilder' })
  expect(query).toBe('Warum Bilder? bild bildern')
  const { weights: alone } = wording('bildern', ...GERMAN, ...GERMAN.slice(1))
  expect(weights.get('bilder')).toBe(alone.get('bildern'))
})

test('English judgments are compared by stems alone', () => {
  const { query, forms } = wording('Are images dark?', 'The image of the page is too dark for what it is.')
  expect([query, forms]).toEqual(['Are images dark?', undefined])
})

test('a common word is no form of another, and of many forms and words some count', () => {
  const italian = 'Il costo per la stampa non è indicato e la foto della pagina è scura.'
  expect(wording('Perù?', italian).forms?.size).toBe(0)
  const many = Array.from('abcdefghijkl', (ending) => `Das ist die Rechnung und Rechnun${ending} der Firma.`)
  expect(wording('Rechnungen?', ...many).forms?.size).toBe(8)
  const others = Array.from('abcdefghijkl', (start) => `${start}ildenbu`)
  const texts = others.map((word) => `Das ist die ${word}ng und nicht der Firma.`)
  expect(wording(others.join(' '), ...texts).forms?.size).toBe(8)
})
