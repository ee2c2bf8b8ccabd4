import { expect, test } from 'vitest'
import { median, round, table } from './table.ts'

test('a table is Markdown whose columns are as wide as their widest cell', () => {
  expect(
    table(
      ['name', 'ms'],
      [
        ['a', 1.5],
        ['longest', ''],
      ],
    ),
  ).toBe(['| name    | ms  |', '|---------|-----|', '| a       | 1.5 |', '| longest |     |'].join('\n'))
})

test('the median is the middle by size, or the mean of the two in the middle', () => {
  expect([median([10, 9, 100]), median([4, 1, 3, 2]), median([7]), median([])]).toEqual([10, 2.5, 7, 0])
})

test('numbers are rounded to two digits, or as many as asked for', () => {
  expect([round(1.2049), round(1.2346, 3), round(12.5, 0), round(2)]).toEqual([1.2, 1.235, 13, 2])
})
