import type { ApiKeyTenant, Services } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import type { Static } from '../../../platform/schema.ts'
import { organizationKeyOf } from '../../organizations/organization-key.ts'
import { readService } from '../../workspaces/setting/service-config.ts'
import { type Action, type Decision, includes } from '../access/access.ts'
import type { ResourceType } from '../access/grant.ts'
import { resourceKeyOf } from '../access/resource-key.ts'
import { type PermissionProviderConfig, permissionProvider } from './permission-provider.ts'
import type { ProviderAnswer, Question } from './provider-answers.ts'

/** A check as callers ask for it. */
export interface NamedCheck {
  userId: string
  type: ResourceType
  id: string
  action: Action
}

/** What a decision needs outside of a transaction. */
export type DecisionContext = { db: Db; tenant: ApiKeyTenant } & Pick<
  Services,
  'accessChecks' | 'secrets' | 'providerAnswers'
>

/**
 * Decides what users may do, in the order of the checks: by the permission provider of the API key where it is on, else
 * by stored grants. What is disabled or does not exist admits nobody, whatever the provider says. Must not be called
 * inside a transaction.
 */
export async function decideForUsers(
  context: DecisionContext,
  organizationId: string,
  checks: NamedCheck[],
): Promise<Decision[]> {
  const [provider, stored] = await Promise.all([readProvider(context), decideByGrants(context, organizationId, checks)])
  return provider ? decideByProvider(context, provider, { organizationId, checks, stored }) : stored
}

/** As `decideForUsers`, where `provider` decides and `stored` is what the stored grants say. */
export async function decideByProvider(
  context: DecisionContext,
  provider: Provider,
  { organizationId, checks, stored }: { organizationId: string; checks: NamedCheck[]; stored: Decision[] },
): Promise<Decision[]> {
  const { db, tenant } = context
  const folders = await foldersOf(context, organizationKeyOf(tenant, organizationId), checks)
  const asked = checks.flatMap((check, index) => {
    const reason = stored[index]?.reason
    if (reason === 'unknown_resource' || reason === 'disabled') return []
    return [{ check, index }]
  })
  const questions = asked.map(({ check: { action: _, ...check } }): Question => {
    const parentFolderId = check.type === 'document' ? folders.get(keyOf(check.id)) : undefined
    return { organizationId, ...check, parentFolderId }
  })
  const answers = await context.providerAnswers.ask({ db, tenant, organizationId, provider }, questions)
  const decisions = [...stored]
  for (const [at, { check, index }] of asked.entries()) {
    decisions[index] = judge(check.action, stored[index]?.accessType ?? null, answers[at] ?? null)
  }
  return decisions
}

/** Decides by stored grants alone, in the order of the checks. */
export const decideByGrants = (
  { tenant, accessChecks }: DecisionContext,
  organizationId: string,
  checks: NamedCheck[],
): Promise<Decision[]> =>
  accessChecks.decide(
    tenant,
    organizationKeyOf(tenant, organizationId),
    checks.map(({ userId, type, id, action }) => ({
      userKey: keyOf(userId),
      type,
      key: resourceKeyOf(tenant, type, id),
      action,
    })),
  )

/** The checks whether a user may view documents. */
export const viewsOf = (userId: string, documentIds: string[]): NamedCheck[] =>
  documentIds.map((id) => ({ userId, type: 'document', id, action: 'view' }))

/**
 * The documents that a user may not view because the permission provider keeps the user out of them; none while it is
 * off. Must not be called inside a transaction.
 */
export async function deniedByProvider(
  context: DecisionContext,
  { organizationId, userId }: { organizationId: string; userId: string },
  documentIds: string[],
): Promise<Set<string>> {
  if (documentIds.length === 0) return new Set()
  const provider = await readProvider(context)
  if (!provider) return new Set()
  const checks = viewsOf(userId, documentIds)
  const stored = await decideByGrants(context, organizationId, checks)
  const decisions = await decideByProvider(context, provider, { organizationId, checks, stored })
  return new Set(documentIds.filter((_, index) => !decisions[index]?.allowed))
}

/** Where a customer's permission provider answers, and what it is sent. */
export type Provider = Static<typeof PermissionProviderConfig>

/** The permission provider that decides for the API key; undefined: none. */
export async function readProvider({ db, tenant, secrets }: DecisionContext): Promise<Provider | undefined> {
  const { isOn, config } = await readService(db, tenant, secrets, permissionProvider)
  return isOn ? config : undefined
}

function judge(action: Action, accessType: Decision['accessType'], answer: ProviderAnswer): Decision {
  const denied = { allowed: false, accessRole: null, via: null, accessType }
  if (!answer) return { ...denied, reason: 'provider_unavailable' }
  if (!answer.hasAccess) return { ...denied, reason: 'provider' }
  const allowed = includes(answer.role, action)
  return { allowed, accessRole: answer.role, reason: allowed ? 'provider' : 'viewer', via: null, accessType }
}

/** The ids of the folders that documents are in, by the key of the document. */
async function foldersOf(
  { db, tenant: { apiKey } }: DecisionContext,
  organizationKey: string,
  checks: NamedCheck[],
): Promise<Map<string, string>> {
  const keys = checks.filter(({ type }) => type === 'document').map(({ id }) => keyOf(id))
  if (keys.length === 0) return new Map()
  const rows = await db.query<{ key: string; id: string }>(sql`
    select d.key, f.id
    from document d
    join folder f on f.api_key = ${apiKey} and f.organization_key = ${organizationKey} and f.key = d.folder_key
    where d.api_key = ${apiKey} and d.organization_key = ${organizationKey} and d.key = any(${keys}::uuid[])`)
  return new Map(rows.map(({ key, id }) => [key, id]))
}
