import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { keyOf } from '../../../platform/id.ts'
import { holdsFields } from '../../permissions/access/access-fields.ts'
import type { Verified } from '../../permissions/access/change-right.ts'
import { isMember, isMemberOf } from '../../permissions/access/grant.ts'
import type { Thread } from './thread.ts'

interface Organization {
  organizationId: string
  organizationKey: string
}

/** A user as SQL: the id (text) and its key (uuid). */
interface Viewer {
  id: Sql
  key: Sql
}

const viewerOf = (userId: string): Viewer => ({ id: sql`${userId}::text`, key: sql`${keyOf(userId)}::uuid` })

/** SQL condition: the user has the access fields that the context of `comment_annotation a` takes. */
const hasThreadFields = (apiKey: string, { organizationKey }: Organization, { key }: Viewer): Sql =>
  holdsFields(apiKey, organizationKey, {
    documentKey: sql`a.document_key`,
    userKey: key,
    access: sql`a.record #> '{context,access}'`,
  })

/**
 * SQL condition: the user is in the organization that `comment_annotation a` is private to. That may be another one
 * than the thread is in.
 */
export const isOfItsOrganization = (
  apiKey: string,
  { organizationId, organizationKey }: Organization,
  userKey: Sql,
): Sql => sql`
  case a.record #>> '{visibilityConfig,organizationId}'
    when ${organizationId} then ${isMember(apiKey, organizationKey, userKey)}
    else ${isMemberOf(apiKey, sql`a.record #>> '{visibilityConfig,organizationId}'`, userKey)}
  end`

/** SQL condition: the visibility of `comment_annotation a` admits the user. */
const isAdmitted = (apiKey: string, organization: Organization, { id, key }: Viewer): Sql => sql`
  case a.record #>> '{visibilityConfig,type}'
    when 'restricted' then jsonb_exists(a.record #> '{visibilityConfig,userIds}', ${id})
    when 'organizationPrivate' then ${isOfItsOrganization(apiKey, organization, key)}
    else true
  end`

/**
 * SQL condition: the context of `comment_annotation a` admits the user, and its visibility does or the user is its
 * author.
 */
const isShownTo = (apiKey: string, organization: Organization, viewer: Viewer): Sql => sql`
  ${hasThreadFields(apiKey, organization, viewer)}
  and (a.record #>> '{from,userId}' = ${viewer.id} or ${isAdmitted(apiKey, organization, viewer)})`

/**
 * SQL condition: `comment_annotation a`, of the organization, is shown to a user, as its author or by its visibility.
 */
export const isVisibleTo = (apiKey: string, organization: Organization, userId: string): Sql =>
  isShownTo(apiKey, organization, viewerOf(userId))

/** SQL condition on `comment_annotation a`: it is shown to the user whose permissions the call verifies, if any. */
export const shownToVerified = (
  apiKey: string,
  organization: Organization,
  { verifyUserPermissions, actionUser }: Verified,
): Sql => (verifyUserPermissions && actionUser ? isVisibleTo(apiKey, organization, actionUser.userId) : sql`true`)

/** SQL condition: the thread of that key is shown to the user whose permissions the call verifies, if any. */
export const isOfShownThread = (
  apiKey: string,
  organization: Organization,
  annotationKey: Sql,
  verified: Verified,
): Sql =>
  verified.verifyUserPermissions
    ? sql`exists (
        select
        from comment_annotation a
        where a.api_key = ${apiKey} and a.organization_key = ${organization.organizationKey} and a.key = ${annotationKey}
          and ${shownToVerified(apiKey, organization, verified)})`
    : sql`true`

/**
 * Throws PERMISSION_DENIED naming the first user to whom the visibility or the context of the thread does not show it.
 */
export async function assertShownTo(
  db: Db,
  { apiKey }: ApiKeyTenant,
  organization: Organization,
  { id, key, record }: Thread,
  userIds: string[],
): Promise<void> {
  const isForAll = record.visibilityConfig.type === 'public' && record.context?.access === undefined
  if (isForAll || userIds.length === 0) return
  const viewer = { id: sql`u.id`, key: sql`u.key` }
  const [denied] = await db.query<{ id: string }>(sql`
    select u.id
    from unnest(${userIds}::text[], ${userIds.map(keyOf)}::uuid[]) with ordinality as u (id, key, position)
    join comment_annotation a
      on a.api_key = ${apiKey} and a.organization_key = ${organization.organizationKey} and a.key = ${key}
    where (${isShownTo(apiKey, organization, viewer)}) is not true
    order by u.position
    limit 1`)
  if (denied) throw new ApiError('PERMISSION_DENIED', `The annotation ${id} is not shown to the user ${denied.id}.`)
}
