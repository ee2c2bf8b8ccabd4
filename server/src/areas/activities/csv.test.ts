import { expect, test } from 'vitest'
import { csvRow } from './csv.ts'

test.each([
  [['a', 1, null, undefined, ''], '"a",1,,,""\r\n'],
  [['say "hi"', 'two\nlines', 'a,b'], '"say ""hi""","two\nlines","a,b"\r\n'],
  [['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'], '"\'=1+1","\'+1","\'-1","\'@SUM(A1)","\'\tx","\'\rx"\r\n'],
  [['=HYPERLINK("x")'], '"\'=HYPERLINK(""x"")"\r\n'],
])('a row is quoted and no cell is a formula: %j', (cells, row) => {
  expect(csvRow(cells)).toBe(row)
})
