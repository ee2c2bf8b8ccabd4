import type { CustomTypesConfig } from 'pg'
import types from 'pg-types'
import { type Sql, sql } from './db.ts'

const INT8 = 20
const INT8_ARRAY = 1016
const TEXT_ARRAY = 1009

// pg's own types leave out the oids of arrays.
const parserOf: (oid: number, format?: 'text' | 'binary') => (text: string) => unknown = types.getTypeParser

/** No column of the schema has this type: it marks what `asBytes` returns. */
const BPCHAR = 1042

/**
 * SQL: a `bytea` expression as a column of bytes, `Buffer` in a row. It travels in base64. Without this the text of
 * bytes is twice as long as they are. Each value becomes bytes as it arrives, so that long texts do not stay in the
 * heap.
 */
export const asBytes = (bytes: Sql): Sql => sql`encode(${bytes}, 'base64')::bpchar`

const readBytes = (text: string) => Buffer.from(text, 'base64')

/**
 * How both drivers parse the text of a column: as `pg` does, but int8 as a number and `asBytes` as bytes. Every bigint
 * of the schema is a count, a sequence or epoch milliseconds, all below 2^53.
 */
export const COLUMN_TYPES: CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (Number(oid) === INT8) return Number
    if (Number(oid) === INT8_ARRAY) return readNumbers
    if (Number(oid) === BPCHAR) return readBytes
    return types.getTypeParser(oid, format)
  },
}

function readNumbers(text: string): unknown {
  const elements = parserOf(TEXT_ARRAY)(text)
  return Array.isArray(elements) ? elements.map((element) => (element === null ? null : Number(element))) : elements
}
