import { resultsOf } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Sql, sql, type Transaction } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { lockedRows, lockRows } from '../organizations/lock-rows.ts'

/**
 * Sets the same columns of several documents. Returns for each id `success` and the message, or that the document does
 * not exist.
 */
export async function changeDocuments<Success extends { message: string }>(
  db: Transaction,
  tenant: ApiKeyTenant,
  organizationKey: string,
  { documentIds, set, answer }: { documentIds: string[]; set: Sql; answer: Success },
) {
  const ids = new Set(documentIds)
  const rows = { apiKey: tenant.apiKey, organizationKey, keys: [...ids].map(keyOf) }
  db.send(lockRows('document', 'for no key update', rows))
  const changed = await db.query<{ id: string }>(sql`
    with target as materialized (${lockedRows('document', rows)})
    update document d
    set ${set}, updated_at = now_ms()
    from target t
    where d.api_key = t.api_key and d.organization_key = t.organization_key and d.key = t.key
    returning d.id`)
  const known = new Set(changed.map(({ id }) => id))
  return resultsOf(ids, (id) =>
    known.has(id) ? { success: true, ...answer } : { success: false, message: 'Document does not exist' },
  )
}
