import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parseJson } from './parse-json.ts'

const long = 'x'.repeat(70_000)
const members = Array.from({ length: 20_000 }, (_, i) => `"field${i}": [${i}, {"a": "}],"}]`).join(' ,\n')

test.each([
  ['short text', '{"data":{"a":[1,2]}}'],
  ['an object of many members', `{${members}}`],
  ['a list of many items', `[${'{"a":1},'.repeat(20_000)}2]`],
  ['long members beside short ones', `{"a":1,"b" : {${members}} ,"c":[[${'1,'.repeat(50_000)}2],3],"d":4}`],
  ['long members alone', ` [[${'1,'.repeat(50_000)}2], {"a":{${members}}}] `],
  ['a long string', `{"a":"${long}","b":"\\"${long}\\\\","c":1}`],
  [
    'escaped quotes and backslashes',
    `{"a":"x${'\\\\\\"'.repeat(30_000)}","${'\\"'.repeat(40_000)}":[${'1,'.repeat(50_000)}2]}`,
  ],
  ['blanks', `{"a":[${' '.repeat(70_000)}],"b":${' '.repeat(70_000)}{${'\n'.repeat(70_000)}},"c":1}`],
  ['a string alone', `"${long}"`],
  ['a name twice', `{"field3":"first",${members},"field3":"last"}`],
  ['names of prototypes', `{"__proto__":{"a":1},${members},"constructor":2,"x":{"__proto__":{${members}}}}`],
  ['escaped names before long values', `{"a\\u0062\\"":{${members}},"__proto__":[${'1,'.repeat(50_000)}2]}`],
])('parses %s as JSON.parse does', async (_, text) => {
  const parsed = await parseJson(text)
  expect(parsed).toStrictEqual(JSON.parse(text))
  expect(JSON.stringify(parsed)).toBe(JSON.stringify(JSON.parse(text)))
  expect(({} as Record<string, unknown>).a).toBeUndefined()
})

test.each([
  ['a missing member', `[${'1,'.repeat(50_000)}]`],
  ['a missing member before a long one', `[1,,[${'1,'.repeat(50_000)}2]]`],
  ['a missing member after a long one', `[[${'1,'.repeat(50_000)}2],]`],
  ['a missing member between pieces', `[${'1,'.repeat(40_000)},${'1,'.repeat(40_000)}2]`],
  ['a missing first member', `[,${'1,'.repeat(50_000)}2]`],
  ['a value without a name', `{${members},[${'1,'.repeat(50_000)}2]}`],
  ['a name without a colon', `{"a" [${'1,'.repeat(50_000)}2]}`],
  ['a name without quotes', `{a:[${'1,'.repeat(50_000)}2]}`],
  ['two names', `{"a":1 "b":[${'1,'.repeat(50_000)}2]}`],
  ['two long values', `[[${'1,'.repeat(50_000)}2] [${'1,'.repeat(50_000)}2]]`],
  ['text after a long value', `[[${'1,'.repeat(50_000)}2] 3]`],
  ['text before a long value', `[3 [${'1,'.repeat(50_000)}2]]`],
  ['text after the end', `[${'1,'.repeat(50_000)}2] 3`],
  ['text before the beginning', `3 [${'1,'.repeat(50_000)}2]`],
  ['a bracket of the other kind', `[${'1,'.repeat(50_000)}2}`],
  ['brackets that cross', `[${'[{]},'.repeat(20_000)}2]`],
  ['a bracket too many', `[${'1,'.repeat(50_000)}2]]`],
  ['a bracket that is not closed', `[[${'1,'.repeat(50_000)}2]`],
  ['a string that is not closed', `["${long}]`],
  ['a string that is not closed after an escaped quote', `["\\"${long}\\"]`],
  ['a blank that JSON does not have', `[\u00a0[${'1,'.repeat(50_000)}2]]`],
  ['a comma after a colon', `{"a":,"b":{${members}}}`],
])('refuses %s', async (_, text) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError)
  await expect(parseJson(text)).rejects.toThrow(SyntaxError)
})

test('takes and refuses whatever JSON.parse takes and refuses', async () => {
  const filler = fc.constantFrom('', long, '1,'.repeat(40_000), '"a":1,'.repeat(12_000))
  const token = fc.constantFrom('[', ']', '{', '}', ',', ':', '"a"', '1', ' ', `"${long}"`, '"a":1', '[1]', '{}')
  const broken = fc.tuple(fc.array(token, { maxLength: 8 }), filler, fc.array(token, { maxLength: 8 }))
  const value = fc.jsonValue({ maxDepth: 3 })
  const valid = fc
    .tuple(value, fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 0, max: 2 }))
    .map(([item, times, spaces]) =>
      JSON.stringify({ a: Array.from({ length: times }, () => item), b: item }, null, spaces),
    )
  const text = fc.oneof(
    valid,
    broken.map(([before, middle, after]) => before.join('') + middle + after.join('')),
    broken.map(([before, middle, after]) => `[${before.join('')}${middle}1${after.join('')}]`),
  )
  await fc.assert(
    fc.asyncProperty(text, async (json) => {
      const outcome = await parseJson(json).catch(() => 'refused')
      expect(outcome).toStrictEqual(attempt(() => JSON.parse(json)))
    }),
    { numRuns: 300 },
  )
})

function attempt(parse: () => unknown): unknown {
  try {
    return parse()
  } catch {
    return 'refused'
  }
}

test('lets other work run while it parses', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  await parseJson(`{${Array.from({ length: 90_000 }, (_, i) => `"name${i}":${i}`).join(',')}}`)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(0)
})

test('searches a few times for the end of a string, however many quotes are escaped in it', async () => {
  const text = `{"a":["${'\\"'.repeat(100_000)}"]}`
  const searches = vi.spyOn(String.prototype, 'indexOf')
  onTestFinished(() => searches.mockRestore())
  await parseJson(text)
  expect(searches.mock.calls.length).toBeLessThan(100)
})
