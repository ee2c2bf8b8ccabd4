import type { CustomTypesConfig } from 'pg'
import types from 'pg-types'

const INT8 = 20
const INT8_ARRAY = 1016
const TEXT_ARRAY = 1009

// pg's own types leave out the oids of arrays.
const parserOf: (oid: number, format?: 'text' | 'binary') => (text: string) => unknown = types.getTypeParser

/**
 * How both drivers parse the text of a column: as `pg` does, but int8 as a number. Every bigint of the schema is a
 * count, a sequence or epoch milliseconds, all below 2^53.
 */
export const COLUMN_TYPES: CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (Number(oid) === INT8) return Number
    if (Number(oid) === INT8_ARRAY) return readNumbers
    return types.getTypeParser(oid, format)
  },
}

function readNumbers(text: string): unknown {
  const elements = parserOf(TEXT_ARRAY)(text)
  return Array.isArray(elements) ? elements.map((element) => (element === null ? null : Number(element))) : elements
}
