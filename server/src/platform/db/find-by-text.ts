import { keyOf } from '../id.ts'
import { pageOf } from '../page.ts'
import { type Db, empty, join, type Sql, sql } from './db.ts'

/** How a text is compared, upper and lower case alike. */
export const MATCHES = ['prefix', 'contains'] as const
type Match = (typeof MATCHES)[number]

/** Where the last row of a page stands: which of the texts matched, that text, and the key of the row. */
export type TextPosition = [arm: number, text: string, key: string]

interface TextSearch {
  /** The table as `t`, with `api_key`, `key` and `id`. */
  table: Sql
  apiKey: string
  /** Texts of `t`. An index holds each in the form of `indexed`, between `api_key` and `key`. */
  texts: Sql[]
  query: string
  match: Match
  after: TextPosition | undefined
  limit: number
}

interface Found {
  keys: string[]
  next: TextPosition | null
}

/** So many rows one call of `contains` reads at most. */
const READ = 20_000
/** No text sorts after it. */
const LAST = '\u{10ffff}'

/**
 * Finds the rows of an API key by the beginning or a part of a text. `prefix` reads indexes: the rows whose first text
 * matches come first, that with the whole id last. `contains` reads rows in the order of their keys, at most 20,000 a
 * call, so a page may be short though others follow. An accent may stand in its letter or after it, as file systems
 * write.
 */
export const findByText = (db: Db, search: TextSearch): Promise<Found> =>
  search.match === 'prefix' ? findPrefix(db, search) : findPart(db, search)

const indexed = (text: Sql): Sql => sql`left(lower(${text}), 64) collate "C"`

async function findPrefix(db: Db, search: TextSearch): Promise<Found> {
  const { limit } = search
  const rows = await db.query<{ arm: number; text: string; key: string }>(sql`
    select arm, text, key
    from (${join(armsOf(search), ' union all ')}) t
    order by arm, text collate "C", key
    limit ${limit + 1}`)
  const { page, last } = pageOf(rows, limit)
  return { keys: page.map(({ key }) => key), next: last ? [last.arm, last.text, last.key] : null }
}

/**
 * SQL condition: one of the texts holds the query, as `contains` compares. Not `like`: it may hold wildcards of a
 * pattern.
 */
export function holdsText(texts: Sql[], query: string): Sql {
  const text = sql`lower(concat_ws(chr(10), ${join(texts)}))`
  return sql`(${join(
    formsOf(query).map((form) => sql`strpos(${text}, lower(${form})) > 0`),
    ' or ',
  )})`
}

/** As what it may be stored: as it is written, and with its accents in their letters or after them. */
const formsOf = (query: string) => [...new Set([query, query.normalize('NFC'), query.normalize('NFD')])]

/** One bounded look-up per text and form, and one by the whole id. Each leaves out what an earlier one finds. */
function armsOf({ table, apiKey, texts, query, after, limit }: TextSearch): Sql[] {
  const [reached = 0, text = '', key = ''] = after ?? []
  const forms = formsOf(query)
  // The index holds 64 characters; a longer form is compared to its end.
  const begins = (column: Sql, form: string) => sql`
    ${indexed(column)} >= left(lower(${form}::text), 64) and ${indexed(column)} < left(lower(${form}::text), 64) || ${LAST}
      and starts_with(lower(${column}), lower(${form}::text))`
  const columns = texts.flatMap((column) => forms.map(() => column))
  const beginnings = texts.flatMap((column) => forms.map((form) => begins(column, form)))
  const conditions = [...beginnings, sql`t.key = ${keyOf(query)}::uuid`]
  return conditions.flatMap((condition, arm) => {
    if (arm < reached) return []
    const column = indexed(columns[arm] ?? sql`t.id`)
    const isAfter = sql`and (${column}, t.key) > (${text}, ${key || null}::uuid)`
    const earlier = conditions.slice(0, arm).map((each) => sql`and (${each}) is not true`)
    return sql`(
      select ${arm}::integer as arm, ${column} as text, t.key
      from ${table}
      where t.api_key = ${apiKey} and ${condition}
        ${earlier.length > 0 ? join(earlier, ' ') : empty}
        ${after && arm === reached ? isAfter : empty}
      order by ${column}, t.key
      limit ${limit + 1}
    )`
  })
}

async function findPart(db: Db, { table, apiKey, texts, query, after, limit }: TextSearch): Promise<Found> {
  const [row] = await db.query<{ keys: string[]; last: string | null; read: number }>(sql`
    with read as materialized (
      select t.key, ${holdsText([...texts, sql`t.id`], query)} as found
      from ${table}
      where t.api_key = ${apiKey} ${after ? sql`and t.key > ${after[2]}::uuid` : empty}
      order by t.key
      limit ${READ}
    )
    select
      (select coalesce(jsonb_agg(key), '[]')
       from (select key from read where found order by key limit ${limit + 1}) f) as keys,
      (select key from read order by key desc limit 1) as last,
      (select count(*) from read) as read`)
  const { keys, last, read } = row ?? { keys: [], last: null, read: 0 }
  const page = keys.slice(0, limit)
  const isMoreFound = keys.length > limit
  const reached = isMoreFound ? page.at(-1) : last
  return { keys: page, next: reached && (isMoreFound || read === READ) ? [0, '', reached] : null }
}
