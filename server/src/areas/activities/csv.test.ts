import { expect, test } from 'vitest'
import { csvRow } from './csv.ts'

test.each([
  [['a', 1, null, undefined, ''], '"a",1,,,""\r\n'],
  [['say "hi"', 'two\nlines', 'a,b'], '"say ""hi""","two\nlines","a,b"\r\n'],
  [['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'], '"\'=1+1","\'+1","\'-1","\'@SUM(A1)","\'\tx","\'\rx"\r\n'],
  [['=HYPERLINK("x")'], '"\'=HYPERLINK(""x"")"\r\n'],
  [
    ['\n=1+1', '\r\n=1', ' =1+1', '\u00a0=1', '\u3000=1'],
    '"\'\n=1+1","\'\r\n=1","\' =1+1","\'\u00a0=1","\'\u3000=1"\r\n',
  ],
  [['\u200b=1', '\ufeff=1', '\u2060=1', '\u0000=1'], '"\'\u200b=1","\'\ufeff=1","\'\u2060=1","\'\u0000=1"\r\n'],
  [
    ['\uff1d1', '\uff0b1', '\uff0d1', '\uff20A', '\u22121'],
    '"\'\uff1d1","\'\uff0b1","\'\uff0d1","\'\uff20A","\'\u22121"\r\n',
  ],
  [['a =1', 'é', '1-1', 'x@y'], '"a =1","é","1-1","x@y"\r\n'],
])('a row is quoted and no cell is a formula: %j', (cells, row) => {
  expect(csvRow(cells)).toBe(row)
})
