import { empty, join, json, type Sql, sql } from '../../platform/db/db.ts'
import type { Issue } from '../../platform/errors.ts'
import { type Static, Type } from '../../platform/schema.ts'

/** A condition on documents, as callers send it. */
export const DocumentFilter = Type.Object({
  key: Type.String({ description: 'A field of the custom metadata, `documentName` or `id`.' }),
  operator: Type.Enum(['==', 'in'], { description: '`in`: `value` is a list.' }),
  value: Type.Unknown({ description: 'What the field is, or a list of what it may be.' }),
})
type DocumentFilter = Static<typeof DocumentFilter>

/** Lists what is wrong with the filters beyond their schema. */
export function filterIssues(filters: DocumentFilter[] = []): Issue[] {
  return filters.flatMap(({ operator, value }, i) =>
    operator === 'in' && !Array.isArray(value)
      ? [{ path: `filters[${i}].value`, message: 'must be an array for the operator in' }]
      : [],
  )
}

/** Which documents of an organization are wanted. */
export interface DocumentMatch {
  /** Undefined means everywhere; null means the top level. */
  folderKey?: string | null | undefined
  /** All must hold. */
  filters?: DocumentFilter[] | undefined
}

/** SQL: further conditions on `document as d`, each after an `and`. */
export function matching({ folderKey, filters = [] }: DocumentMatch): Sql {
  const inFolder = folderKey === null ? sql`and d.folder_key is null` : sql`and d.folder_key = ${folderKey}`
  return join([folderKey === undefined ? empty : inFolder, ...filters.map((filter) => sql`and ${admits(filter)}`)], ' ')
}

function admits({ key, operator, value }: DocumentFilter): Sql {
  const values = operator === 'in' && Array.isArray(value) ? value : [value]
  return sql`
  (d.metadata || jsonb_build_object('id', d.id, 'documentName', coalesce(d.name, ''))) -> ${key}
    = any(${values.map(json)}::jsonb[])`
}
