import type { ApiKeyTenant } from '../../platform/context.ts'
import type { Db } from '../../platform/db/db.ts'
import type { CommentAnnotation } from '../comments/thread/annotation.ts'
import { readMaySee } from '../comments/thread/may-see.ts'
import { readPreferences, wants } from '../notifications/recipients/preference.ts'
import { decide } from '../permissions/access/access.ts'
import { hasFields } from '../permissions/access/access-fields.ts'

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
  const visibilities = candidates.map(({ annotation }) => annotation.visibilityConfig)
  const [preferences, decisions, maySee, holds] = await Promise.all([
    readPreferences(db, tenant, organizationKey, { userKeys: [userKey], documentKeys }),
    decide(db, tenant, organizationKey, checks, { evenDisabled: true }),
    readMaySee(db, tenant, visibilities, [userKey]),
    hasFields(db, tenant, organizationKey, viewings),
  ])
  const visible = new Set(documentKeys.filter((_, index) => decisions[index]?.allowed))
  return candidates.filter(({ annotation: { visibilityConfig, from }, documentKey, isAddressed, isRead }, index) => {
    const isWanted = wants(preferences.of(userKey, documentKey).email, isAddressed)
    const isShown = holds[index] && maySee(visibilityConfig, from, userId)
    return !isRead && isWanted && visible.has(documentKey) && isShown
  })
}
