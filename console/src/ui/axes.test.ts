import type uPlot from 'uplot'
import { expect, test } from 'vitest'
import { axisOfX, axisOfY, dataOf, rangeOf } from './axes.ts'

const HOUR_S = 3_600
// None of them looks at the plot.
const plot = {} as uPlot

/** The texts of ticks, and the least distance that they may have. */
function drawn({ incrs, values }: uPlot.Axis, ticks: number[], step: number) {
  if (typeof values !== 'function' || !Array.isArray(incrs)) throw new Error('The axis says nothing of its ticks.')
  return { texts: values(plot, ticks, 0, 0, step), least: incrs[0] }
}

test('an axis of times says them, with ticks of a second at least', () => {
  const noon = new Date(2026, 10, 27, 12).getTime() / 1_000
  expect(drawn(axisOfX(true), [noon, noon + HOUR_S], HOUR_S)).toEqual({
    texts: ['12:00\n27 Nov 2026', '13:00'],
    least: 1,
  })
})

test('an axis of shares says percents, one at least apart', () => {
  const shares = { texts: ['0\u00a0%', '50\u00a0%'], least: 0.01 }
  expect(drawn(axisOfX(false), [0, 0.5], 0.5)).toEqual(shares)
  expect(drawn(axisOfY(undefined), [0, 0.5], 0.5)).toEqual(shares)
})

test('an axis of counts says whole numbers', () => {
  expect(drawn(axisOfY(HOUR_S), [0, 2_000], 2_000)).toEqual({ texts: ['0', '2,000'], least: 1 })
})

test('a count holds until the next, the last one for its step too; shares are points', () => {
  expect(
    dataOf(
      [0, HOUR_S],
      [
        [1, null],
        [2, 3],
      ],
      HOUR_S,
    ),
  ).toEqual([
    [0, HOUR_S, 2 * HOUR_S],
    [1, null, null],
    [2, 3, 3],
  ])
  expect(dataOf([0.1, 0.9], [[0.2, 0.8]], undefined)).toEqual([
    [0.1, 0.9],
    [0.2, 0.8],
  ])
  expect(dataOf([], [[]], HOUR_S)).toEqual([[], []])
})

test('shares reach from 0 to 1, counts from 0 to the most, and to 1 where there are none', () => {
  expect(rangeOf(undefined)).toEqual([0, 1])
  const range = rangeOf(HOUR_S)
  if (typeof range !== 'function') throw new Error('Counts have no fixed range.')
  expect([range(plot, 3, 7, 'y'), range(plot, 0, 0, 'y')]).toEqual([
    [0, 7],
    [0, 1],
  ])
})
