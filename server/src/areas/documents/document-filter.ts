import { json, type Sql, sql } from '../../platform/db/db.ts'
import type { Issue } from '../../platform/errors.ts'
import { type Static, Type } from '../../platform/schema.ts'

/** A condition on documents, as callers send it. */
export const DocumentFilter = Type.Object({
  key: Type.String({ description: 'A field of the custom metadata, `documentName` or `id`.' }),
  operator: Type.Enum(['==', 'in'], { description: '`in`: `value` is a list.' }),
  value: Type.Unknown({ description: 'What the field is, or a list of what it may be.' }),
})
export type DocumentFilter = Static<typeof DocumentFilter>

/** Lists what is wrong with the filters beyond their schema. */
export function filterIssues(filters: DocumentFilter[] = []): Issue[] {
  return filters.flatMap(({ operator, value }, i) =>
    operator === 'in' && !Array.isArray(value)
      ? [{ path: `filters[${i}].value`, message: 'must be an array for the operator in' }]
      : [],
  )
}

/** Matches documents whose metadata, name or id has one of the values. */
export interface MetadataFilter {
  key: string
  values: unknown[]
}

/** The filter with the values that it matches. */
export const metadataFilter = ({ key, operator, value }: DocumentFilter): MetadataFilter => ({
  key,
  values: operator === 'in' && Array.isArray(value) ? value : [value],
})

/** SQL: the filter as a condition on `document as d`. */
export const isAdmittedBy = ({ key, values }: MetadataFilter): Sql => sql`
  (d.metadata || jsonb_build_object('id', d.id, 'documentName', coalesce(d.name, ''))) -> ${key} = any(${values.map(json)}::jsonb[])`
