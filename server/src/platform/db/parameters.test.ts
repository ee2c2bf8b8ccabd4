import { describe, expect, it, vi } from 'vitest'
import { json } from './db.ts'
import { toParameters } from './parameters.ts'

describe('the parameters of a statement', () => {
  it('travel as text, bytes or null', () => {
    const bytes = new Uint8Array([1, 2])
    expect(toParameters([null, 'a', 1.5, false, 9007199254740993n, bytes])).toEqual([
      null,
      'a',
      '1.5',
      'false',
      '9007199254740993',
      bytes,
    ])
  })

  it('are JSON when plain objects or json values', () => {
    expect(toParameters([{ a: [1] }, json([1, 'a']), json('a'), json(null)])).toEqual([
      '{"a":[1]}',
      '[1,"a"]',
      '"a"',
      'null',
    ])
  })

  it('are Postgres arrays when arrays, whatever their elements hold', () => {
    expect(
      toParameters([
        [],
        ['a', null, 'null', '', 'a"b\\c,{}'],
        [1, true],
        [
          [1, 2],
          [3, 4],
        ],
      ]),
    ).toEqual(['{}', '{"a",null,"null","","a\\"b\\\\c,{}"}', '{1,"true"}', '{{1,2},{3,4}}'])
    expect(toParameters([[{ a: '"' }, json([1]), null, new Uint8Array([255])]])).toEqual([
      '{"{\\"a\\":\\"\\\\\\"\\"}","[1]",null,"\\\\xff"}',
    ])
    expect(toParameters([[json({ a: 'b"\\\n' })]])).toEqual(['{"{\\"a\\":\\"b\\\\\\"\\\\\\\\\\\\n\\"}"}'])
  })

  it.each([
    [[1, undefined], /\$2 .*undefined/],
    [[Object.assign(['a'], { 2: 'b' })], /\$1\[2\] .*undefined/],
    [[json(undefined)], /\$1 .*undefined/],
    [[[json(1), json(undefined)]], /\$1\[2\] .*undefined/],
    [[new Date(0)], /\$1 .*Date/],
    [[new Map()], /\$1 .*Map/],
    [[() => 1], /\$1 .*function/],
  ])('are refused by position when they have no Postgres form: %s', (values, message) => {
    expect(() => toParameters(values)).toThrow(TypeError)
    expect(() => toParameters(values)).toThrow(message)
  })

  it('escape a long text as a short one', () => {
    const text = 'a"b\\c\n漢𠮷\ud800'
    const [long] = toParameters([[text.repeat(1_000)]])
    expect(long).toBe(`{"${text.replace(/["\\]/g, '\\$&').repeat(1_000)}"}`)
  })

  it('escape a long text in one pass of their own, without replacing each of its quotes', () => {
    const replace = vi.spyOn(String.prototype, 'replace')
    toParameters([['"'.repeat(1_000), `${'a'.repeat(1_000)}\\`]])
    const { length } = replace.mock.calls
    vi.restoreAllMocks()
    expect(length).toBe(0)
  })
})
