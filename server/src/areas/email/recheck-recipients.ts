import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import type { CommentAnnotation } from '../comments/thread/annotation.ts'
import { admits } from '../comments/thread/visibility.ts'
import { readPreferences, wants } from '../notifications/recipients/preference.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { decide } from '../permissions/access.ts'
import { hasFields } from '../permissions/access-fields.ts'
import { isLive } from '../permissions/grant.ts'

type EmailTenant = Pick<ApiKeyTenant, 'apiKey' | 'organizationKeys'>

interface Reader {
  organizationKey: string
  userKey: string
  userId: string
}

interface Candidate {
  annotation: CommentAnnotation
  documentKey: string
  isAddressed: boolean
  isRead: boolean
}

/**
 * Returns the candidates that may still be emailed, possibly long after the change. The user must see the document and
 * the thread, want emails of it, and not have read it in the inbox.
 */
export async function recheckRecipients<Item extends Candidate>(
  db: Db,
  tenant: EmailTenant,
  reader: Reader,
  candidates: Item[],
): Promise<Item[]> {
  const { organizationKey, userKey, userId } = reader
  const documentKeys = [...new Set(candidates.map(({ documentKey }) => documentKey))]
  const checks = documentKeys.map((key) => ({ userKey, type: 'document' as const, key, action: 'view' as const }))
  const viewings = candidates.map(({ documentKey, annotation: { context } }) => ({ documentKey, userId, context }))
  const [preferences, decisions, organizations, holds] = await Promise.all([
    readPreferences(db, tenant, organizationKey, { userKeys: [userKey], documentKeys }),
    decide(db, tenant, organizationKey, checks, { evenDisabled: true }),
    readMemberships(db, tenant, userKey, candidates),
    hasFields(db, tenant, organizationKey, viewings),
  ])
  const visible = new Set(documentKeys.filter((_, index) => decisions[index]?.allowed))
  return candidates.filter(({ annotation, documentKey, isAddressed, isRead }, index) => {
    const { from, visibilityConfig } = annotation
    const privateTo = privateOrganization(annotation)
    const isAdmitted =
      admits(visibilityConfig, userId) &&
      (privateTo === undefined || organizations.has(organizationKeyOf(tenant, privateTo)))
    const isWanted = wants(preferences.of(userKey, documentKey).email, isAddressed)
    const isShown = holds[index] && (isAdmitted || from.userId === userId)
    return !isRead && isWanted && visible.has(documentKey) && isShown
  })
}

/** The organizations of the user among those that threads are private to. */
async function readMemberships(
  db: Db,
  tenant: EmailTenant,
  userKey: string,
  candidates: Candidate[],
): Promise<Set<string>> {
  const organizations = new Set(candidates.flatMap(({ annotation }) => privateOrganization(annotation) ?? []))
  if (organizations.size === 0) return new Set()
  const rows = await db.query<{ organization_key: string }>(sql`
    select g.organization_key
    from access_grant g
    where g.api_key = ${tenant.apiKey} and g.organization_key = any(${[...organizations].map((id) => organizationKeyOf(tenant, id))}::uuid[])
      and g.resource_type = 'organization' and g.resource_key = g.organization_key and g.user_key = ${userKey}
      and ${isLive}`)
  return new Set(rows.map((row) => row.organization_key))
}

const privateOrganization = ({ visibilityConfig: { type, organizationId } }: CommentAnnotation) =>
  type === 'organizationPrivate' ? organizationId : undefined
