import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'

// Spelled out so that each arm fits one of the partial indexes: the log of an endpoint may hold millions of rows.
const PENDING = sql`(status = 'ready' or (status = 'scheduled' and due_at >= 0))`

/** Stops what is still to be sent to an endpoint. */
export async function cancelDeliveries(db: Db, tenant: ApiKeyTenant, endpointId: string): Promise<void> {
  await db.query(sql`
    update webhook_delivery
    set status = 'cancelled'
    where api_key = ${tenant.apiKey}
      and endpoint_id = ${endpointId}
      and ${PENDING}`)
}

/** Stops what is still to be sent to any advanced endpoint. */
export async function cancelAdvanced(db: Db, tenant: ApiKeyTenant): Promise<void> {
  await db.query(sql`
    update webhook_delivery
    set status = 'cancelled'
    where api_key = ${tenant.apiKey}
      and endpoint_id not in ('raw', 'processed')
      and ${PENDING}`)
}
