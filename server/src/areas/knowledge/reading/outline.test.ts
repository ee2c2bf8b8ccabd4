import { expect, test } from 'vitest'
import { outline } from './outline.ts'

const rules = (text: string) =>
  outline(text).flatMap(({ kind, content, category }) => (kind === 'rule' ? [[category, content]] : []))

test('list items and paragraphs below a heading are rules, what introduces a list is none', () => {
  const text =
    'Read this first.\n\n# Tone\n\nWe write plainly.\n\nNever use:\n\n- slang\n* jargon\n  of any kind\n1. all caps\n\n## Legal\nCite\nsources.'
  expect(rules(text)).toEqual([
    ['Tone', 'We write plainly.'],
    ['Tone', 'slang'],
    ['Tone', 'jargon of any kind'],
    ['Tone', 'all caps'],
    ['Legal', 'Cite sources.'],
  ])
})

test.each([
  ['## Photos ##', 'Photos'],
  ['# About C#', 'About C#'],
  ['# Prices #1', 'Prices #1'],
])('the heading of %s is %s', (line, heading) => {
  expect(rules(`${line}\n\nWe write plainly.`)).toEqual([[heading, 'We write plainly.']])
})

test('a line in capitals is a heading of plain text', () => {
  expect(rules('REFUND POLICY\nRefunds take 14 days.')).toEqual([['REFUND POLICY', 'Refunds take 14 days.']])
})

test('a text without headings and lists has chunks only, which cover it whole', () => {
  const text = Array.from({ length: 300 }, (_, i) => `Sentence number ${i} says something.`).join(' ')
  const entries = outline(text)
  expect(entries.every(({ kind, content }) => kind === 'chunk' && content.length <= 1_000)).toBe(true)
  expect(
    entries
      .map(({ content }) => content)
      .join(' ')
      .replace(/\s+/g, ' '),
  ).toBe(text)
})

test('a script without capitals has no line in capitals', () => {
  expect(rules('# 形式\n\nPDFとHTMLは受け付けない。')).toEqual([['形式', 'PDFとHTMLは受け付けない。']])
})

test.each(['・ロゴは鮮明にする。', '１．ロゴは鮮明にする。', '（２）ロゴは鮮明にする。', '③ロゴは鮮明にする。'])(
  '%s is a list item',
  (line) => {
    expect(rules(`次のとおり：\n${line}`)).toEqual([[null, 'ロゴは鮮明にする。']])
  },
)

test.each(['а) Логотип должен быть чётким.', '١. الشعار واضح.', '— Логотип должен быть чётким.'])(
  '%s is a list item too',
  (line) => {
    expect(rules(line)).toEqual([[null, line.slice(line.indexOf(' ') + 1)]])
  },
)

test('a long text without spaces is divided at ends of sentences, and never within a character', () => {
  const chunks = (text: string) => outline(text).flatMap(({ kind, content }) => (kind === 'chunk' ? [content] : []))
  const sentence = 'ロゴが不鮮明なものは承認しない。'
  for (const chunk of chunks(sentence.repeat(200))) expect(chunk.endsWith('。')).toBe(true)
  const owls = chunks(`a${'🦉'.repeat(1500)}`)
  expect(owls.join('')).toBe(`a${'🦉'.repeat(1500)}`)
})
