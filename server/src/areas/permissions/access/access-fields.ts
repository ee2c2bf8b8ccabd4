import type { ApiKeyScope, ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, json, type Sql, sql } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import { mapOf, type Static, Type } from '../../../platform/schema.ts'
import { fromGrantsOfDocument, isLive } from './grant.ts'

const MAX_FIELDS = 200

/** The access fields that a grant gives, as callers send them. */
export const accessFields = Type.Array(Type.String({ maxLength: 513, pattern: '^[^:]+:' }), {
  maxItems: MAX_FIELDS,
  description:
    'The access fields that the user has there, each as `key:value`; they replace those given before. A thread or ' +
    'notification with a `context.access` is shown only to users who have each of its fields.',
})

/** The context of a record, as callers send it. */
export const Context = Type.Object(
  {
    access: Type.Optional({
      ...mapOf(
        Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
        'The access fields that it takes to see it.',
      ),
      maxProperties: MAX_FIELDS,
    }),
  },
  { additionalProperties: true, description: 'Data of your own; `access` says whom it is shown to.' },
)
export type Context = Static<typeof Context>

/** Everybody has this field. */
const EVERYBODY = 'default:velt'

/**
 * SQL condition: the user has every field of `access` (jsonb, an object or null) on a document, by live grants on it,
 * on the folders above it or on the organization. The grants are read once for all fields, as they name nothing of `w`,
 * and only if there are any.
 */
export const holdsFields = (
  apiKey: string,
  organizationKey: string,
  { documentKey, userKey, access }: { documentKey: Sql; userKey: Sql; access: Sql },
): Sql => sql`
  not exists (
    select
    from jsonb_each_text(case jsonb_typeof(${access}) when 'object' then ${access} else '{}' end) w (name, value)
    where w.name || ':' || w.value <> ${EVERYBODY}
      and not jsonb_exists(
        (
          select coalesce(jsonb_object_agg(held.field, true), '{}')
          from (
            select jsonb_array_elements_text(g.access_fields) as field
            ${fromGrantsOfDocument(apiKey, sql`${organizationKey}::uuid`, userKey, documentKey)}
          ) held
        ),
        w.name || ':' || w.value))`

/** A user who is to see a record with a context. */
export interface Viewing {
  documentKey: string
  userId: string
  context: { access?: unknown } | undefined
}

/**
 * Returns whether each user has the access fields of the context, in the order given, by at most one statement. Where
 * viewings share a context, its fields are sent once, and each user is asked for once.
 */
export async function hasFields(
  db: Db,
  { apiKey }: ApiKeyScope,
  organizationKey: string,
  viewings: Viewing[],
): Promise<boolean[]> {
  const accesses = new Map<unknown, number>()
  const asked = new Map<string, Viewing & { place: number; index: number }>()
  const questions = viewings.map((viewing) => {
    const { access } = viewing.context ?? {}
    if (access === undefined) return undefined
    const place = accesses.get(access) ?? accesses.size + 1
    accesses.set(access, place)
    const question = `${place} ${viewing.documentKey} ${viewing.userId}`
    const { index } = asked.get(question) ?? { index: asked.size }
    asked.set(question, { ...viewing, place, index })
    return index
  })
  if (asked.size === 0) return viewings.map(() => true)
  const list = [...asked.values()]
  const held = await db.query<{ index: number }>(sql`
    select v.index
    from unnest(
      ${list.map(({ index }) => index)}::integer[],
      ${list.map(({ documentKey }) => documentKey)}::uuid[],
      ${list.map(({ userId }) => keyOf(userId))}::uuid[],
      ${list.map(({ place }) => place)}::bigint[]
    ) as v (index, document_key, user_key, place)
    join unnest(${[...accesses.keys()].map((access) => json(access))}::jsonb[]) with ordinality as c (access, place)
      using (place)
    join document d on d.api_key = ${apiKey} and d.organization_key = ${organizationKey} and d.key = v.document_key
    where ${holdsFields(apiKey, organizationKey, { documentKey: sql`v.document_key`, userKey: sql`v.user_key`, access: sql`c.access` })}`)
  const holding = new Set(held.map(({ index }) => index))
  return questions.map((index) => index === undefined || holding.has(index))
}

/** Returns the access fields that users were given anywhere in the organization, by id; only users who have some. */
export async function accessFieldsOf(
  db: Db,
  { apiKey }: ApiKeyTenant,
  organizationKey: string,
  userIds: string[],
): Promise<Map<string, string[]>> {
  const ids = new Map(userIds.map((id) => [keyOf(id), id]))
  const rows = await db.query<{ key: string; fields: string[] }>(sql`
    select g.user_key as key, jsonb_agg(distinct f.field order by f.field) as fields
    from access_grant g
    cross join lateral jsonb_array_elements_text(g.access_fields) as f (field)
    where g.api_key = ${apiKey} and g.organization_key = ${organizationKey}
      and g.user_key = any(${[...ids.keys()]}::uuid[]) and ${isLive}
    group by g.user_key`)
  return new Map(rows.map(({ key, fields }) => [ids.get(key) ?? key, fields]))
}
