import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'

// Each arm fits a partial index: the log of an endpoint may hold millions of rows.
const PENDING = sql`(status = 'ready' or status = 'scheduled')`

/** Stops what is still to be sent to an endpoint. */
export async function cancelDeliveries(db: Db, tenant: ApiKeyTenant, endpointId: string): Promise<void> {
  await db.query(sql`
    update webhook_delivery
    set status = 'cancelled'
    where api_key = ${tenant.apiKey}
      and endpoint_id = ${endpointId}
      and ${PENDING}`)
}

/** The same, unless the endpoint is or was made active: what has been queued since is sent. */
export async function cancelUnlessActive(db: Db, tenant: ApiKeyTenant, endpointId: string): Promise<void> {
  await db.query(sql`
    update webhook_delivery
    set status = 'cancelled'
    where api_key = ${tenant.apiKey}
      and endpoint_id = ${endpointId}
      and ${PENDING}
      and not exists (
        select from webhook_endpoint e where e.api_key = ${tenant.apiKey} and e.id = ${endpointId} and e.active
      )`)
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
