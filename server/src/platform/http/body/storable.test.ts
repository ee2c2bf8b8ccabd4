import { describe, expect, test } from 'vitest'
import { checkStorable } from './storable.ts'

describe('what no store can keep is refused with its path', () => {
  test.each([
    [{ a: ['x', { b: 'y\u0000' }] }, 'a[1].b must not contain U+0000'],
    [{ a: { 'k\u0000': 1 } }, 'a must not contain U+0000'],
    [{ a: '\ud800' }, 'a must not contain a lone surrogate'],
    [{ a: Number.POSITIVE_INFINITY }, 'a must be a number within the double range'],
  ])('%j', (data, message) => {
    expect(() => checkStorable(data)).toThrow(expect.objectContaining({ status: 'INVALID_ARGUMENT', message }))
  })

  test('nesting deeper than 100 levels', () => {
    let deep: unknown = 1
    for (let i = 0; i < 101; i++) deep = { deep }
    expect(() => checkStorable(deep)).toThrow(/must not nest deeper than 100 levels/)
  })
})
