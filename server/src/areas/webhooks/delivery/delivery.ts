import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'

/** Stops what is still to be sent to an endpoint. */
export const cancelDeliveries = (db: Db, tenant: ApiKeyTenant, endpointId: string): Promise<void> =>
  cancel(db, tenant, sql`endpoint_id = ${endpointId}`)

/** The same, unless the endpoint is or was made active: what has been queued since is sent. */
export const cancelUnlessActive = (db: Db, tenant: ApiKeyTenant, endpointId: string): Promise<void> =>
  cancel(
    db,
    tenant,
    sql`endpoint_id = ${endpointId} and not exists (
        select from webhook_endpoint e where e.api_key = ${tenant.apiKey} and e.id = ${endpointId} and e.active
      )`,
  )

/** Stops what is still to be sent to any advanced endpoint. */
export const cancelAdvanced = (db: Db, tenant: ApiKeyTenant): Promise<void> =>
  cancel(db, tenant, sql`endpoint_id not in ('raw', 'processed')`)

async function cancel(db: Db, { apiKey }: ApiKeyTenant, condition: Sql): Promise<void> {
  await db.query(sql`
    with cancelled as (
      delete from webhook_pending
      where api_key = ${apiKey}
        and ${condition}
        -- Each arm fits a partial index: others may have millions of rows.
        and (status = 'ready' or status = 'scheduled')
      returning *
    )
    insert into webhook_settled (api_key, event_id, endpoint_id, event_type, seq, status, attempt)
    select api_key, event_id, endpoint_id, event_type, seq, 'cancelled', attempt
    from cancelled`)
}

/** Names what those who send an endpoint's deliveries again take turns at, and nobody else waits for. */
export const redeliveriesTo = ({ apiKey }: ApiKeyTenant, endpointId: string): string =>
  `webhook-redeliveries ${apiKey} ${endpointId}`

/**
 * CTEs that move settled deliveries of an endpoint back to their places in its queue, to begin their retry schedules anew;
 * `again` has those that were moved. The caller has taken its turn, so that none is moved twice, and none of them is older
 * than the retention, so that its event is there.
 */
export const queueAgain = ({ apiKey }: ApiKeyTenant, endpointId: string, eventIds: Sql, now: number): Sql => sql`
    again as (
      delete from webhook_settled
      where api_key = ${apiKey} and endpoint_id = ${endpointId} and event_id = any(${eventIds})
      returning *
    ),
    earlier as (
      insert into webhook_earlier_attempt (
        api_key, event_id, endpoint_id, number, sent_at, duration_ms, url, http_status, response, error)
      select api_key, event_id, endpoint_id, attempt, sent_at, duration_ms, url, http_status, response, error
      from again
      where sent_at is not null
    ),
    queued as (
      insert into webhook_pending (api_key, event_id, endpoint_id, event_type, seq, due_at, attempt)
      select api_key, event_id, endpoint_id, event_type, seq, ${now}::bigint, attempt
      from again
    )`
