import { expect, test } from 'vitest'
import { timeTicks } from './ticks.ts'

/** Seconds of a time in the time zone of the reader. */
const at = (...parts: [number, number, number, number, number, number]) => new Date(...parts).getTime() / 1000

test('ticks of a day say the time as tables write it, and the date where it is another', () => {
  const times = [at(2026, 10, 26, 23, 30, 0), at(2026, 10, 26, 23, 45, 0), at(2026, 10, 27, 0, 0, 0)]
  expect(timeTicks(times, 900)).toEqual(['23:30\n26 Nov 2026', '23:45', '00:00\n27 Nov 2026'])
})

test('ticks of seconds say the seconds', () => {
  expect(timeTicks([at(2026, 10, 27, 2, 43, 11)], 1)).toEqual(['02:43:11\n27 Nov 2026'])
})

test('ticks of days say the day, and the year where it is another', () => {
  const times = [at(2026, 11, 30, 0, 0, 0), at(2026, 11, 31, 0, 0, 0), at(2027, 0, 1, 0, 0, 0)]
  expect(timeTicks(times, 86_400)).toEqual(['30 Dec\n2026', '31 Dec', '1 Jan\n2027'])
})
