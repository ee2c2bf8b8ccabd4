import type { Options } from './command.ts'
import { numberOf } from './option-values.ts'

/** The options of commands that show the latest of a list and follow it. */
export const FOLLOWING = {
  last: { type: 'string', value: '<count>', about: 'How many of those there are come first; default 10.' },
  interval: { type: 'string', value: '<seconds>', about: 'The time between two looks; default 2.' },
  follow: { type: 'boolean', about: 'Wait for new ones, the default; --no-follow ends after the last ones.' },
} as const satisfies Options

/** What the options mean. Throws a UsageError for what is no number. */
export function following(values: { last?: string; interval?: string; follow?: boolean }) {
  return {
    last: numberOf('--last', values.last ?? '10', /^\d{1,4}$/, 0, 1000),
    intervalMs: numberOf('--interval', values.interval ?? '2', /^\d+(\.\d+)?$/, 0.1, 3600) * 1000,
    follow: values.follow ?? true,
  }
}
