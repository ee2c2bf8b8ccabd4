import { type Db, empty, join, raw, type Sql, sql } from '../db/db.ts'
import type { Secrets } from '../secret.ts'

/** A column of sealed texts, and the column of their keyed hashes where they are tokens. */
export interface SealedColumn {
  table: string
  /** The columns of the primary key, in its order, with their types. */
  key: Record<string, 'text' | 'bigint' | 'bytea'>
  column: string
  hash?: string
  /** The context that the text of a row is sealed with. */
  context: (key: Record<string, string>) => string
}

interface SealedRow {
  key: Record<string, unknown>
  sealed: string
}

const BATCH_ROWS = 500

/**
 * Re-encrypts every text of a column with the current key, in batches, while the service uses the table. A text that
 * changed in the meantime is skipped and checked again. Returns how many were re-encrypted; ends when none is left.
 */
export async function rotateColumn(db: Db, secrets: Secrets, column: SealedColumn): Promise<number> {
  let total = 0
  for (;;) {
    const rotated = await rotateOnce(db, secrets, column)
    if (rotated === undefined) return total
    total += rotated
  }
}

/** One pass over the table in the order of its key; undefined when there was nothing to do. */
async function rotateOnce(db: Db, secrets: Secrets, column: SealedColumn): Promise<number | undefined> {
  let rows = await readBatch(db, secrets, column, undefined)
  if (rows.length === 0) return undefined
  let rotated = 0
  while (rows.length > 0) {
    rotated += await writeBatch(db, secrets, column, rows)
    rows = await readBatch(db, secrets, column, rows.at(-1))
  }
  return rotated
}

async function readBatch(
  db: Db,
  secrets: Secrets,
  { table, key, column, hash }: SealedColumn,
  after: SealedRow | undefined,
): Promise<SealedRow[]> {
  const names = Object.keys(key)
  const isOld = (name: string) => sql`split_part(${raw(name)}, '.', 1) <> ${secrets.currentKeyId}`
  const beyond = after
    ? sql`and (${raw(names.join(', '))}) > (${join(names.map((name) => cast(after.key[name], key[name])))})`
    : empty
  const rows = await db.query<Record<string, unknown> & { sealed_text: string }>(sql`
    select ${raw(names.join(', '))}, ${raw(column)} as sealed_text
    from ${raw(table)}
    where ${raw(column)} <> '' and (${isOld(column)} ${hash ? sql`or ${isOld(hash)}` : empty}) ${beyond}
    order by ${raw(names.join(', '))}
    limit ${BATCH_ROWS}`)
  return rows.map(({ sealed_text: sealed, ...rest }) => ({ key: rest, sealed }))
}

async function writeBatch(
  db: Db,
  secrets: Secrets,
  { table, key, column, hash, context }: SealedColumn,
  rows: SealedRow[],
): Promise<number> {
  const names = Object.keys(key)
  const texts = rows.map((row) => secrets.open(row.sealed, context(row.key as Record<string, string>)))
  const sealed = rows.map((row, i) => secrets.seal(texts[i] ?? '', context(row.key as Record<string, string>)))
  const hashes = texts.map((text) => (hash ? secrets.hash(text) : ''))
  const keys = names.map((name) =>
    cast(
      rows.map((row) => row.key[name]),
      `${key[name]}[]`,
    ),
  )
  const matches = names.map((name) => sql`held.${raw(name)} = fresh.${raw(name)}`)
  const written = await db.query(sql`
    update ${raw(table)} as held
    set ${raw(column)} = fresh.sealed_text ${hash ? sql`, ${raw(hash)} = fresh.hash_text` : empty}
    from unnest(${join(keys)}, ${rows.map((row) => row.sealed)}::text[], ${sealed}::text[], ${hashes}::text[])
      as fresh (${raw(names.join(', '))}, old_text, sealed_text, hash_text)
    where ${join(matches, ' and ')} and held.${raw(column)} = fresh.old_text
    returning 1 as written`)
  return written.length
}

const cast = (value: unknown, type: string | undefined): Sql => sql`${value}::${raw(type ?? 'text')}`

/** The name of the first column that holds a text which these keys do not open; it looks at one text of each column. */
export async function findUnreadable(db: Db, secrets: Secrets, columns: SealedColumn[]): Promise<string | undefined> {
  for (const { table, key, column, context } of columns) {
    const names = Object.keys(key).join(', ')
    const [row] = await db.query<Record<string, string> & { sealed_text: string }>(sql`
      select ${raw(names)}, ${raw(column)} as sealed_text from ${raw(table)} where ${raw(column)} <> '' limit 1`)
    if (row && !opens(secrets, row.sealed_text, context(row))) return `${table}.${column}`
  }
  return undefined
}

function opens(secrets: Secrets, sealed: string, context: string): boolean {
  try {
    secrets.open(sealed, context)
    return true
  } catch {
    return false
  }
}
