import { raw, sql } from '../../platform/db/db.ts'
import { isRetired } from '../organizations/organization-key.ts'
import { IS_DOOMED } from '../permissions/end-grants.ts'
import { membershipsEnded } from '../permissions/membership-event.ts'
import { BATCH, type EraseBatch, within } from './erasure.ts'

/** Erases memberships, access to documents and folders, what is left of former access, and membership of user groups. */
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

/** Erases the profiles of users who have no access left. */
export const eraseProfiles: EraseBatch = async ({ db, tenant }, { userKeys }) => {
  await db.query(sql`
    delete from app_user u
    where u.api_key = ${tenant.apiKey} and u.key = any(${userKeys}::uuid[])
      and not exists (
        select
        from access_grant g
        where g.api_key = ${tenant.apiKey} and g.user_key = u.key
          and not ${isRetired(tenant.apiKey, sql`g.organization_key`)})`)
  return false
}
