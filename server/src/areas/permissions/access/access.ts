import type { ApiKeyScope, ApiKeyTenant } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { keyOf } from '../../../platform/id.ts'
import type { AccessType } from '../../folders/access-type.ts'
import { type Fact, readFacts, type Subject } from './access-facts.ts'
import type { ResourceType, Role } from './grant.ts'

/** Viewers may view and comment. */
export type Action = 'view' | 'comment' | 'edit'

/** Whether a role includes an action. */
export const includes = (role: Role, action: Action): boolean => action !== 'edit' || role === 'editor'

/** The outcome of a check and what decided it. */
export const REASONS = [
  'grant',
  'public',
  'viewer',
  'expired',
  'restricted',
  'organization_private',
  'not_a_member',
  'removed',
  'disabled',
  'provider',
  'provider_unavailable',
  'unknown_user',
  'unknown_resource',
] as const

/** Whether a user may perform an action on a resource, and why. */
export interface Decision {
  allowed: boolean
  /** The effective role; null if the user has no access. */
  accessRole: Role | null
  reason: (typeof REASONS)[number]
  /** The nearest valid grant; if none is valid, the nearest expired one. */
  via: { type: ResourceType; id: string; expiresAt: number | null } | null
  /** The effective access type; null for organizations, which have none, and for unknown resources. */
  accessType: AccessType | null
}

/** One check: may this user perform this action on this resource of the organization? */
export interface AccessCheck extends Subject {
  action: Action
}

/** Decides every check, in their order, by one statement. `evenDisabled`: as if nothing were disabled. */
export async function decide(
  db: Db,
  tenant: ApiKeyScope,
  organizationKey: string,
  checks: AccessCheck[],
  { evenDisabled = false } = {},
): Promise<Decision[]> {
  const facts = await readFacts(db, tenant, organizationKey, checks)
  return checks.map(({ action }, index) => judge(facts.get(index + 1), action, evenDisabled))
}

/** Returns the users who may not perform the action on the document. */
export async function deniedUsers(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationKey, documentKey, userIds, action }: DocumentAccess,
): Promise<string[]> {
  if (userIds.length === 0) return []
  const checks = userIds.map((id) => ({ userKey: keyOf(id), type: 'document' as const, key: documentKey, action }))
  const decisions = await decide(db, tenant, organizationKey, checks)
  return userIds.filter((_, index) => !decisions[index]?.allowed)
}

interface DocumentAccess {
  organizationKey: string
  documentKey: string
  userIds: string[]
  action: Action
}

/** Throws PERMISSION_DENIED naming the first user who may not perform the action on the document. */
export async function assertMayAccess(db: Db, tenant: ApiKeyTenant, access: DocumentAccess): Promise<void> {
  const [denied] = await deniedUsers(db, tenant, access)
  if (denied === undefined) return
  throw new ApiError('PERMISSION_DENIED', `The user ${denied} may not ${access.action} the document.`)
}

function judge(fact: Fact | undefined, action: Action, evenDisabled: boolean): Decision {
  const denied = { allowed: false, accessRole: null, via: null }
  if (!fact?.known) return { ...denied, accessType: null, reason: 'unknown_resource' }
  const { access_type: accessType, grant_type: type, grant_id: id, expires_at: expiresAt, live, role } = fact
  if (fact.disabled && !evenDisabled) return { ...denied, accessType, reason: 'disabled' }
  const via = type !== null && id !== null ? { type, id, expiresAt } : null
  if (live && (type !== 'organization' || accessType !== 'restricted')) {
    const allowed = includes(role, action)
    return { allowed, accessRole: role, reason: allowed ? 'grant' : 'viewer', via, accessType }
  }
  if (fact.removed) return { ...denied, reason: 'removed', accessType }
  if (accessType === 'public') return { allowed: true, accessRole: 'editor', reason: 'public', via, accessType }
  if (via && !live) return { ...denied, reason: 'expired', via, accessType }
  return { ...denied, accessType, reason: fact.user_known ? refusal(accessType) : 'unknown_user' }
}

function refusal(accessType: AccessType | null): Decision['reason'] {
  if (accessType === null) return 'not_a_member'
  return accessType === 'restricted' ? 'restricted' : 'organization_private'
}
