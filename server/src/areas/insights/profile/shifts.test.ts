import { expect, test } from 'vitest'
import { shiftsOf } from './shifts.ts'

const group = (contentType: string, period: 'recent' | 'earlier', decided: number, approvals: number) => ({
  ...{ contentType, period, decided, approvals },
  judgments: decided,
})

test('a rate has shifted that moved by 25 points, where both periods hold five decisions, the furthest first', () => {
  const shifts = shiftsOf(
    [
      ...[group('some', 'recent', 8, 4), group('some', 'earlier', 8, 6)],
      ...[group('little', 'recent', 100, 50), group('little', 'earlier', 100, 74)],
      ...[group('few', 'recent', 4, 0), group('few', 'earlier', 100, 100)],
      ...[group('new', 'recent', 100, 0), group('new', 'earlier', 4, 4)],
      ...[group('much', 'recent', 5, 5), group('much', 'earlier', 5, 0)],
    ],
    0,
  )
  expect(shifts.map(({ topic }) => topic)).toEqual(['much', 'some'])
})
