import { expect, test } from 'vitest'
import { empty, join, raw, sql } from './sql.ts'

test('values become parameters, numbered through all parts', () => {
  const inner = sql`b = ${2} and c = ${[3]}`
  const statement = sql`select ${1} where ${inner} ${empty} order by ${raw('d desc')} limit ${null}`
  expect(statement.text).toBe('select $1 where b = $2 and c = $3  order by d desc limit $4')
  expect(statement.values).toEqual([1, 2, [3], null])
})

test('one place in the code makes a text for each composition of its parts', () => {
  const select = (part: unknown) => sql`select ${part} as a, ${5} as b`
  const statements = [1, raw('x'), sql`f(${2}, ${3})`, empty, raw('y'), 4].map(select)
  expect(statements.map(({ text }) => text)).toEqual([
    'select $1 as a, $2 as b',
    'select x as a, $1 as b',
    'select f($1, $2) as a, $3 as b',
    'select  as a, $1 as b',
    'select y as a, $1 as b',
    'select $1 as a, $2 as b',
  ])
  expect(statements.map(({ values }) => values)).toEqual([[1, 5], [5], [2, 3, 5], [5], [5], [4, 5]])
})

test('parts and values are joined by a separator', () => {
  expect(join([1, sql`a(${2})`, raw('b')])).toMatchObject({ text: '$1,a($2),b', values: [1, 2] })
  expect(join([sql`a = ${1}`, sql`b = ${2}`], ' and ')).toMatchObject({ text: 'a = $1 and b = $2', values: [1, 2] })
  expect(join(Array.from({ length: 20 }, (_, i) => i)).text).toMatch(/^\$1,.*,\$20$/)
  expect(() => join([])).toThrow(TypeError)
})

test('more compositions than are kept have their texts too', () => {
  const text = (n: number) => sql`select ${raw(`column_${n}`)} where ${sql`a = ${n}`}`.text
  for (let n = 0; n < 1_500; n++) expect(text(n)).toBe(`select column_${n} where a = $1`)
})
