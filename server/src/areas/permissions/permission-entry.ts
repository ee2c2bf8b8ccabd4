import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { keyOf } from '../../platform/id.ts'
import { mapOf, oneOf, type Static, Type } from '../../platform/schema.ts'
import { AccessType } from '../folders/access-type.ts'
import type { Decision } from './access/access.ts'
import { accessRole, type ResourceType } from './access/grant.ts'

/** The most pairs of a user and a resource in one response. */
export const MAX_PAIRS = 10_000

/** One user's access to one resource, or why there is none. */
const Entry = Type.Object({
  accessRole: Type.Optional(accessRole),
  accessType: Type.Optional(AccessType),
  expiresAt: Type.Optional(Type.Integer({ description: 'When the access ends, in epoch milliseconds.' })),
  error: Type.Optional(Type.String()),
  errorCode: Type.Optional(oneOf(['permission_denied', 'does_not_exist'], 'Why there is no access.')),
})
type Entry = Static<typeof Entry>

/** The entries of one user. */
export const UserPermissions = Type.Object({
  context: Type.Optional(
    Type.Object({
      accessFields: Type.Array(Type.String(), { description: 'Those given anywhere in the organization.' }),
    }),
  ),
  organization: mapOf(Entry, 'By organization id.'),
  folders: mapOf(Entry, 'By folder id.'),
  documents: mapOf(Entry, 'By document id.'),
})

/** A user and a resource of the organization. */
export interface Pair {
  userId: string
  type: ResourceType
  id: string
}

/** What the users have access to below the organization, each with the user. */
export async function grantedPairs(
  db: Db,
  { apiKey }: ApiKeyTenant,
  organizationKey: string,
  userIds: string[],
): Promise<Pair[]> {
  const rows = await db.query<{ user_id: string; type: ResourceType; id: string }>(sql`
    select u.id as user_id, g.resource_type as type, coalesce(f.id, d.id) as id
    from access_grant g
    join app_user u on u.api_key = g.api_key and u.key = g.user_key
    -- The offsets force a look-up per grant, though the planner does not know of those added just now.
    left join lateral (
      select key, id
      from folder
      where api_key = ${apiKey} and organization_key = ${organizationKey} and key = g.resource_key
        and g.resource_type = 'folder'
      offset 0
    ) f on true
    left join lateral (
      select key, id
      from document
      where api_key = ${apiKey} and organization_key = ${organizationKey} and key = g.resource_key
        and g.resource_type = 'document'
      offset 0
    ) d on true
    where g.api_key = ${apiKey}
      and g.organization_key = ${organizationKey}
      and g.user_key = any(${userIds.map(keyOf)}::uuid[])
      and coalesce(f.key, d.key) is not null
    order by g.seq
    limit ${MAX_PAIRS + 1}`)
  if (rows.length > MAX_PAIRS) {
    throw new ApiError('FAILED_PRECONDITION', `The users have more than ${MAX_PAIRS} permissions. Name fewer users.`)
  }
  return rows.map((row) => ({ userId: row.user_id, type: row.type, id: row.id }))
}

/**
 * The permissions by user id. `decisions` are those of `pairs`, in the same order; `fields` the access fields by user
 * id.
 */
export function permissionsOf(
  userIds: string[],
  pairs: Pair[],
  decisions: Decision[],
  fields: ReadonlyMap<string, string[]>,
) {
  const entries = new Map(
    userIds.map((userId) => [userId, { organization: empty(), folder: empty(), document: empty() }]),
  )
  for (const [index, { userId, type, id }] of pairs.entries()) {
    const decision = decisions[index]
    if (decision) entries.get(userId)?.[type].set(id, entryOf(decision, type))
  }
  return Object.fromEntries(
    [...entries].map(([userId, { organization, folder, document }]) => [
      userId,
      {
        organization: Object.fromEntries(organization),
        folders: Object.fromEntries(folder),
        documents: Object.fromEntries(document),
        ...(fields.has(userId) && { context: { accessFields: fields.get(userId) ?? [] } }),
      },
    ]),
  )
}

const empty = () => new Map<string, Entry>()

// Expired access is denied, even where anyone else is admitted.
function entryOf({ allowed, accessRole, accessType, reason, via }: Decision, type: ResourceType): Entry {
  if (reason === 'unknown_resource') return { error: `${NAMES[type]} does not exist`, errorCode: 'does_not_exist' }
  const shownType = accessType !== null && { accessType }
  const expired = reason === 'public' && via !== null
  if (!allowed || accessRole === null || expired) {
    return { error: `User does not have access to ${type}`, errorCode: 'permission_denied', ...shownType }
  }
  const ends = typeof via?.expiresAt === 'number' && { expiresAt: via.expiresAt }
  return { accessRole, ...shownType, ...ends }
}

const NAMES = { organization: 'Organization', folder: 'Folder', document: 'Document' }
