import { expect, test } from 'vitest'
import { csvReader } from './csv-judgments.ts'

function readAll(text: string): object[] {
  const { read } = csvReader()
  return text.split('\n').flatMap((line) => read(line) ?? [])
}

test('a row is a judgment; a reviewer without a name is called by the id', () => {
  expect(readAll('decision,reasoning,reviewer\nreject,The logo is blurred.,ada\n')).toEqual([
    { decision: 'reject', reasoning: 'The logo is blurred.', actionUser: { userId: 'ada', name: 'ada' } },
  ])
})

test('a text in quotation marks holds commas, lines and quotation marks', () => {
  const [judgment] = readAll('decision,reasoning,reviewer\r\nreject,"Too small,\r\nsaid ""Bo"".",ada\r\n')
  expect(judgment).toMatchObject({ reasoning: 'Too small,\nsaid "Bo".' })
})

test('the columns of Excel are read: semicolons, upper case, spaces, dates', () => {
  const head = 'Decision;Reasoning;Reviewer;Reviewer name;Created at;Confidence;Content type'
  expect(readAll(`${head}\napprove;Sharp;ada;Ada Lovelace;2026-01-31;0.5;\n`)).toEqual([
    {
      decision: 'approve',
      reasoning: 'Sharp',
      actionUser: { userId: 'ada', name: 'Ada Lovelace' },
      createdAt: Date.UTC(2026, 0, 31),
      confidence: 0.5,
    },
  ])
})

test.each([
  ['31.01.2026', Date.UTC(2026, 0, 31)],
  ['01.02.2026', Date.UTC(2026, 1, 1)],
  ['1.2.2026 9:05', new Date(2026, 1, 1, 9, 5).getTime()],
  ['01/02/2026', '01/02/2026'],
  ['31.02.x', '31.02.x'],
])('Excel in a German locale writes the day first: %s', (written, createdAt) => {
  const head = 'decision;reasoning;reviewer;createdAt;confidence'
  expect(readAll(`${head}\napprove;Scharf;ada;${written};0,5\n`)).toMatchObject([{ createdAt, confidence: 0.5 }])
})

test('a first line that tells Excel what separates the fields is no head', () => {
  expect(readAll('sep=;\r\ndecision;reasoning;reviewer\nreject;a,b,c,d;ada\n')).toMatchObject([
    { reasoning: 'a,b,c,d' },
  ])
})

test('what is no date is left to the service, which refuses it', () => {
  const [judgment] = readAll('decision,reasoning,reviewer,createdAt\napprove,Sharp,ada,yesterday\n')
  expect(judgment).toMatchObject({ createdAt: 'yesterday' })
})

test('a column that is missing or unknown is named', () => {
  expect(() => readAll('decision,comment\n')).toThrow('reasoning, reviewer')
  expect(() => readAll('decision,reasoning,reviewer,Mood\n')).toThrow('Mood')
})

test('a quotation mark that is not closed is noticed', () => {
  const reader = csvReader()
  reader.read('decision,reasoning,reviewer')
  reader.read('reject,"The logo,ada')
  expect(reader.isOpen()).toBe(true)
})

test('a text that goes on for a million characters is refused, for its quotation mark was forgotten', () => {
  const reader = csvReader()
  reader.read('decision,reasoning,reviewer')
  reader.read('reject,"The logo,ada')
  expect(() => reader.read('x'.repeat(1_000_000))).toThrow('quotation mark')
})

test('a quotation mark that was forgotten does not hold the page up, however many lines follow', () => {
  const reader = csvReader()
  reader.read('decision,reasoning,reviewer')
  reader.read('reject,"The logo,ada')
  const lines = () => {
    for (let line = 0; line < 500_000; line++) reader.read('x')
  }
  expect(lines).toThrow('quotation mark')
})
