import { expect, test } from 'vitest'
import { refusalOf } from '../../../client/src/errors.ts'
import { adviceFor, bytesText, durationText, errorText, millisecondsText, percentText, timeText } from './text.ts'

test.each([
  ['a length of time', durationText(149), ['149 ms']],
  ['a number of milliseconds', millisecondsText(1234), ['1,234 ms']],
  ['an amount of memory', bytesText(449 * 1024 ** 2), ['449 MiB']],
  ['a share', percentText(0.5), ['50 %']],
  ['a date, apart from the time of day', timeText(Date.UTC(2026, 10, 30, 12)), [/^\d+ Nov 2026,$/, /^\d\d:00:00$/]],
])('%s is not broken over two lines', (_, text, lines) => {
  const broken = text.split(/[ -]/).map((line) => line.replaceAll('\u00a0', ' '))
  expect(broken).toEqual(lines.map((line) => (line instanceof RegExp ? expect.stringMatching(line) : line)))
})

test.each([
  [undefined, /^Something else answered, such as a proxy/],
  [{ error: { status: 'INTERNAL', message: 'The server failed.' } }, /^The server failed\. Its log/],
])('who failed is told, the server or what is before it', (body, advice) => {
  expect(adviceFor(refusalOf(new Response(null, { status: 503 }), body))).toMatch(advice)
})

test.each([
  ['the one that is refused', [{ path: 'webhook.url', message: 'is required' }], '“URL” is required'],
  [
    'each, where several are',
    [
      { path: 'webhook.url', message: 'is required' },
      { path: 'other', message: 'must be a string' },
      { path: 'domains[1]', message: 'must be a domain' },
    ],
    '“URL” is required\n“URL”: is required\nother: must be a string\n“Domains” (number 2): must be a domain',
  ],
])('a field is named as the person knows it: %s', (_, issues, text) => {
  const error = { status: 'INVALID_ARGUMENT', message: 'webhook.url is required', details: { issues } }
  const labelOf = (path: string) => ({ 'webhook.url': 'URL', 'domains[1]': 'Domains' })[path]
  expect(errorText(refusalOf(new Response(null, { status: 400 }), { error }), labelOf)).toBe(text)
})
