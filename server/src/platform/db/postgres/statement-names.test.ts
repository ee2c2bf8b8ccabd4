import { expect, test } from 'vitest'
import { join, raw, sql } from '../db.ts'
import { StatementNames } from './statement-names.ts'

test('statements of the same text have one name, however they are composed; another text has another', () => {
  const names = new StatementNames()
  const condition = (key: string) => sql`api_key = ${key}`
  const select = (key: string, seq: number) => sql`select id from event where ${condition(key)} and seq > ${seq}`
  const first = names.of(select('a', 1))
  expect(first).toMatchObject({ name: 's0', text: 'select id from event where api_key = $1 and seq > $2' })
  expect(names.of(select('b', 2))).toBe(first)
  expect(names.of(sql`select id from event where api_key = ${'c'} and seq > ${3}`)).toBe(first)
  expect(names.of(sql`${raw('select id from event')} where ${condition('d')}`)).toMatchObject({
    name: 's1',
    text: 'select id from event where api_key = $1',
  })
  expect(names.of(sql`select ${join([1, 2])}`)).toMatchObject({ name: 's2', text: 'select $1,$2' })
  expect(names.of(sql`select ${join([1, 2, 3])}`)).toMatchObject({ name: 's3', text: 'select $1,$2,$3' })
})

test('past 500 texts, statements are not prepared: callers influence some of them', () => {
  const names = new StatementNames()
  const nth = (n: number) => sql`select ${1} ${raw(`as column_${n}`)}`
  for (let n = 0; n < 500; n++) expect(names.of(nth(n)).name).toBe(`s${n}`)
  expect(names.of(nth(500))).toEqual({ text: 'select $1 as column_500', name: undefined })
  expect(names.of(sql`select ${1}`)).toEqual({ text: 'select $1', name: undefined })
  // One that begins as a known one does.
  expect(names.of(sql`${raw('select ')}`)).toEqual({ text: 'select ', name: undefined })
  expect(names.of(nth(499)).name).toBe('s499')
})
