import { expect, test } from 'vitest'
import { UsageError } from './failure.ts'
import { momentOf } from './moment.ts'

test.each([
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31T09:30', '2026-01-31T09:30:00.000Z'],
  ['2026-01-31T09:30:15.5Z', '2026-01-31T09:30:15.500Z'],
  ['2026-01-31T09:30+02:00', '2026-01-31T07:30:00.000Z'],
])('%s is %s', (given, iso) => {
  expect(new Date(momentOf('--from', given)).toISOString()).toBe(iso)
})

test.each(['', 'soon', '5', '2026', '2026-02-30', '2026-13-01', '2026-01-31T25:00', '31.01.2026', '1969-12-31'])(
  '“%s” is refused',
  (given) => {
    expect(() => momentOf('--from', given)).toThrow(UsageError)
  },
)
