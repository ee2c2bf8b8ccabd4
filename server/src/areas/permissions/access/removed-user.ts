import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, type Sql, sql, type Transaction } from '../../../platform/db/db.ts'
import { sendInTurn, sendSharedLock } from '../../../platform/db/list-lock.ts'
import { keyOf } from '../../../platform/id.ts'
import { fromGrantsOfDocument } from './grant.ts'

/**
 * Sends a statement that records that users were removed from an organization. It waits for transactions that hold
 * removals. `writeGrants` deletes the record when it makes the users members again.
 */
export function recordRemoved(
  db: Transaction,
  tenant: ApiKeyTenant,
  organizationKey: string,
  userKeys: string[],
): void {
  const statement = sql`
    insert into removed_user (api_key, organization_key, user_key)
    select ${tenant.apiKey}, ${organizationKey}, key
    from app_user
    where api_key = ${tenant.apiKey} and key = any(${userKeys}::uuid[])
    on conflict (api_key, user_key, organization_key) do update set removed_at = excluded.removed_at`
  sendInTurn(db, [removalsOf(tenant, organizationKey)], statement)
}

/**
 * Sends what makes removals from an organization wait until this transaction ends, and this one until theirs have
 * ended. Statements after it see who is removed, and a removal after this transaction sees what it has written.
 */
export const holdRemovals = (db: Transaction, tenant: ApiKeyTenant, organizationKey: string): void =>
  sendSharedLock(db, removalsOf(tenant, organizationKey))

const removalsOf = ({ apiKey }: ApiKeyTenant, organizationKey: string): string =>
  `removed_user ${apiKey} ${organizationKey}`

/** SQL condition: the user was removed from the organization and is not a member again. */
export const isRemoved = (apiKey: string, organizationKey: Sql, userKey: Sql): Sql => sql`
  exists (
    select
    from removed_user x
    where x.api_key = ${apiKey} and x.user_key = ${userKey} and x.organization_key = ${organizationKey}
  )`

/** SQL condition: since the removal the user was granted the document, or a folder that it is in. */
export const isLetInAgain = (apiKey: string, organizationKey: Sql, userKey: Sql, documentKey: Sql): Sql => sql`
  exists (select ${fromGrantsOfDocument(apiKey, organizationKey, userKey, documentKey)})`

/** A user, and a document in an organization. */
export interface Visit {
  organizationKey: string
  documentKey: string
  userId: string
}

/** Those of the visits whose user was removed from the organization, and whether the document was granted since. */
export async function removedAmong<Each extends Visit>(
  db: Db,
  { apiKey }: ApiKeyTenant,
  visits: Each[],
): Promise<{ visit: Each; isLetIn: boolean }[]> {
  if (visits.length === 0) return []
  const rows = await db.query<{ position: number; isLetIn: boolean }>(sql`
    select v.position::integer,
      ${isLetInAgain(apiKey, sql`v.organization_key`, sql`v.user_key`, sql`v.document_key`)} as "isLetIn"
    from unnest(
      ${visits.map(({ organizationKey }) => organizationKey)}::uuid[],
      ${visits.map(({ documentKey }) => documentKey)}::uuid[],
      ${visits.map(({ userId }) => keyOf(userId))}::uuid[]
    ) with ordinality as v (organization_key, document_key, user_key, position)
    join removed_user x
      on x.api_key = ${apiKey} and x.user_key = v.user_key and x.organization_key = v.organization_key`)
  return rows.flatMap(({ position, isLetIn }) => {
    const visit = visits[position - 1]
    return visit ? [{ visit, isLetIn }] : []
  })
}

/** Those of the people who were not removed from the organization; asks only if there are any people. */
export async function withoutRemoved<Person extends { userId: string }>(
  db: Db,
  { apiKey }: ApiKeyTenant,
  organizationKey: string,
  people: Person[],
): Promise<Person[]> {
  if (people.length === 0) return people
  const removed = await db.query<{ key: string }>(sql`
    select user_key as key
    from removed_user
    where api_key = ${apiKey} and organization_key = ${organizationKey}
      and user_key = any(${people.map(({ userId }) => keyOf(userId))}::uuid[])`)
  const keys = new Set(removed.map(({ key }) => key))
  return people.filter(({ userId }) => !keys.has(keyOf(userId)))
}
