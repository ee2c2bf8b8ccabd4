import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

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
