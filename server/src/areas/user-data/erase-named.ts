import { json, raw, sql } from '../../platform/db/db.ts'
import { FIRST_KEY } from '../../platform/id.ts'
import type { JobContext } from '../../platform/work/job.ts'
import { redact } from '../activities/log/redact.ts'
import { BATCH, pseudonymOf, type Scope, within } from './erasure.ts'

/** Records of others that may name users in what the caller put into them. */
type Table = 'notification' | 'recording'

/** A page ends with the record that exceeds this, as stored: its records may name ten thousand users each. */
const PAGE_BYTES = 512 * 1024

/**
 * Puts pseudonyms in place of the users in records of others. No index knows whom a record names, so all are looked
 * through, a batch at a time. Returns the position, or false when nothing was left.
 */
export async function eraseNamed(
  table: Table,
  context: JobContext,
  scope: Scope,
  after = `${FIRST_KEY} ${FIRST_KEY}`,
): Promise<string | false> {
  const { db, tenant } = context
  const [organizationKey, key] = after.split(' ')
  const page = await db.query<{ organizationKey: string; key: string; isNaming: boolean }>(sql`
    select organization_key as "organizationKey", key,
      -- "is true" keeps the planner from a join: the ids are hashed once, and more of them take no longer.
      exists (
        select
        from jsonb_path_query(record, '$.**.userId') as named (id)
        where (named.id #>> '{}' in (select unnest(${scope.userIds}::text[]))) is true
      ) as "isNaming"
    from (
      select organization_key, key, record, sum(pg_column_size(record)) over (order by organization_key, key) as bytes
      from (
        select organization_key, key, record
        from ${raw(table)}
        where api_key = ${tenant.apiKey} and (organization_key, key) > (${organizationKey}::uuid, ${key}::uuid)
          ${within(sql`organization_key`, scope)}
        order by organization_key, key
        limit ${BATCH}
      ) next
    ) n
    where bytes - pg_column_size(record) < ${PAGE_BYTES}
    order by organization_key, key`)
  const named = page.filter(({ isNaming }) => isNaming)
  if (named.length > 0) await redactRecords(table, context, scope, named)
  const last = page.at(-1)
  return last ? `${last.organizationKey} ${last.key}` : false
}

async function redactRecords(
  table: Table,
  context: JobContext,
  { userIds }: Scope,
  named: { organizationKey: string; key: string }[],
): Promise<void> {
  const { db, tenant } = context
  const rows = await db.query<{ organizationKey: string; key: string; record: object }>(sql`
    select n.organization_key as "organizationKey", n.key, n.record
    from unnest(
      ${named.map((row) => row.organizationKey)}::uuid[],
      ${named.map(({ key }) => key)}::uuid[]
    ) as g (organization_key, key)
    join ${raw(table)} n
      on n.api_key = ${tenant.apiKey} and n.organization_key = g.organization_key and n.key = g.key
    order by n.organization_key, n.key
    for no key update of n`)
  const pseudonyms = new Map(userIds.map((userId) => [userId, pseudonymOf(context, userId).userId]))
  await db.query(sql`
    update ${raw(table)} n
    set record = r.record
    from unnest(
      ${rows.map((row) => row.organizationKey)}::uuid[],
      ${rows.map(({ key }) => key)}::uuid[],
      ${rows.map(({ record }) => json(redact(record, (userId) => pseudonyms.get(userId))))}::jsonb[]
    ) as r (organization_key, key, record)
    where n.api_key = ${tenant.apiKey} and n.organization_key = r.organization_key and n.key = r.key`)
}
