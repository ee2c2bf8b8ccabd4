import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { dateRangeIssues, endsOf } from './date-range.ts'

test('a moment is the same wherever the service runs: UTC where it names no time zone', async () => {
  const moments = ['2026-01-02T03:04:05', '2026-01-02T03:04:05.0', '2026-01-02T04:04:05+01:00', '2026-01-02']
  const program = `
    import { endsOf } from '${new URL('./date-range.ts', import.meta.url)}'
    console.log(JSON.stringify(${JSON.stringify(moments)}.map((start) => endsOf({ start }).start)))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type', 'module', '--eval', program],
    { env: { ...process.env, TZ: 'Asia/Tokyo' } },
  )
  const time = Date.UTC(2026, 0, 2, 3, 4, 5)
  expect(JSON.parse(stdout)).toEqual([time, time, time, Date.UTC(2026, 0, 2)])
})

test('a missing start is open, also where the end is before 1970', () => {
  const range = { end: '1969-12-31' }
  expect(dateRangeIssues(range, 'dateRange')).toEqual([])
  const { start, end } = endsOf(range)
  expect(start).toBeLessThan(end)
})
