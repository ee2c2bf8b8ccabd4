import { expect, test, vi } from 'vitest'
import { MAX_DEPTH, scanJson } from './scan-json.ts'

const scan = (text: string, maxValues = 100_000) => scanJson(Buffer.from(text), maxValues)

/** How many values the text holds, as the largest limit that it breaks tells. */
function valuesOf(text: string): number {
  for (let limit = 1; ; limit++) {
    try {
      scan(text, limit)
      return limit
    } catch {}
  }
}

const count = (value: unknown): number =>
  1 +
  (typeof value === 'object' && value !== null ? Object.values(value).reduce<number>((sum, v) => sum + count(v), 0) : 0)

test.each([
  '1',
  '"a"',
  '[]',
  '{}',
  '[1,2,3]',
  '[[],[],{}]',
  '{"a":1,"b":[true,null]}',
  ' { "a" : [ ] , "b" : "x,y[{" } ',
  '{"a\\"b":"c\\\\","d":["\\",\\"",{}]}',
  '["\\\\\\",\\\\",["\\",\\"[{,"],{}]',
])('counts the values of %s', (text) => {
  expect(valuesOf(text)).toBe(count(JSON.parse(text)))
})

test('refuses more values than the limit, and names the rule', () => {
  expect(() => scan(`[${'[],'.repeat(1_000)}1]`, 1_000)).toThrow('The body must hold at most 1000 values')
})

test('refuses what nests deeper than 100 levels below the body', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  expect(() => scan(nested(MAX_DEPTH + 1))).not.toThrow()
  expect(() => scan(nested(MAX_DEPTH + 2))).toThrow('nest deeper than 100 levels')
})

test('leaves text that is no JSON to the parser', () => {
  for (const text of ['', '"', '"\\', ']]]]', '{{{', 'x']) expect(() => scan(text)).not.toThrow()
})

test('searches once for the end of a string, however many quotes are escaped in it', () => {
  const bytes = Buffer.from(`{"a":["${'\\"'.repeat(1_000)}"]}`)
  const searches = vi.spyOn(bytes, 'indexOf')
  scanJson(bytes, 100)
  expect(searches).toHaveBeenCalledTimes(2)
})
