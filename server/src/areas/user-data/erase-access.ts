import { raw, sql } from '../../platform/db/db.ts'
import { FIRST_KEY, keyOf } from '../../platform/id.ts'
import type { JobContext } from '../../platform/work/job.ts'
import { isRetired } from '../organizations/organization-key.ts'
import { IS_DOOMED } from '../permissions/end-grants.ts'
import { membershipsEnded } from '../permissions/membership-event.ts'
import { BATCH, type EraseBatch, type Scope, within } from './erasure.ts'

/**
 * Erases memberships, access to documents and folders, what is left of former access, and membership of user groups.
 */
export const eraseAccess: EraseBatch = async ({ db, tenant, emit }, scope) => {
  const ended = await db.query<{ organizationKey: string; userKey: string; type: string }>(sql`
    with doomed as (
      select organization_key, resource_type, resource_key, user_key
      from access_grant
      where api_key = ${tenant.apiKey} and user_key = any(${scope.userKeys}::uuid[])
        ${within(sql`organization_key`, scope)}
      order by organization_key, resource_type, resource_key, user_key
      limit ${BATCH}
      for update
    )
    delete from access_grant g
    using doomed d
    where g.api_key = ${tenant.apiKey} and ${IS_DOOMED}
    returning g.organization_key as "organizationKey", g.user_key as "userKey", g.resource_type as type`)
  const memberships = ended.filter(({ type }) => type === 'organization')
  await emit(
    membershipsEnded,
    memberships.map(({ organizationKey, userKey }) => ({ organizationKey, userKey })),
  )
  if (ended.length > 0) return true
  for (const table of ['user_group_member', 'former_access']) {
    await db.query(sql`
      delete from ${raw(table)}
      where api_key = ${tenant.apiKey} and user_key = any(${scope.userKeys}::uuid[])
        ${within(sql`organization_key`, scope)}`)
  }
  return false
}

/** Erases the profiles of users who have no access left, and then takes these users from the contacts of others. */
export const eraseProfiles: EraseBatch = async (context, scope, after) => {
  if (after !== '') return eraseContacts(context, scope, after)
  const { db, tenant } = context
  await db.query(sql`
    delete from app_user u
    where u.api_key = ${tenant.apiKey} and u.key = any(${scope.userKeys}::uuid[])
      and not exists (
        select
        from access_grant g
        where g.api_key = ${tenant.apiKey} and g.user_key = u.key
          and not ${isRetired(tenant.apiKey, sql`g.organization_key`)})`)
  return eraseContacts(context, scope, FIRST_KEY)
}

/** No index knows the contacts of users, so all users are looked through, a batch at a time. */
async function eraseContacts({ db, tenant }: JobContext, { userIds }: Scope, after: string): Promise<string | false> {
  const gone = sql`(
    select g.id
    from unnest(${userIds}::text[], ${userIds.map(keyOf)}::uuid[]) as g (id, key)
    where not exists (select from app_user u where u.api_key = ${tenant.apiKey} and u.key = g.key))`
  const page = await db.query<{ key: string; isNaming: boolean }>(sql`
    select key, exists (
      select
      from jsonb_array_elements(profile -> 'contacts') as c (contact)
      where contact ->> 'userId' in ${gone}) as "isNaming"
    from app_user
    where api_key = ${tenant.apiKey} and key > ${after}::uuid
    order by key
    limit ${BATCH}`)
  const named = page.filter(({ isNaming }) => isNaming).map(({ key }) => key)
  await db.query(sql`
    update app_user u
    set profile = jsonb_set(u.profile, '{contacts}', (
      select coalesce(jsonb_agg(contact order by position), '[]')
      from jsonb_array_elements(u.profile -> 'contacts') with ordinality as c (contact, position)
      where coalesce(contact ->> 'userId', '') not in ${gone}))
    where u.api_key = ${tenant.apiKey} and u.key = any(${named}::uuid[])`)
  return page.at(-1)?.key ?? false
}
