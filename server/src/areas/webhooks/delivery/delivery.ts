import type { ApiKeyScope } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'

/** Cancels the pending deliveries to an endpoint. */
export const cancelDeliveries = (db: Db, tenant: ApiKeyScope, endpointId: string): Promise<void> =>
  cancel(db, tenant, sql`endpoint_id = ${endpointId}`)

/** Cancels the pending deliveries to an endpoint, unless it is active (again): then what was queued since is sent. */
export const cancelUnlessActive = (db: Db, tenant: ApiKeyScope, endpointId: string): Promise<void> =>
  cancel(
    db,
    tenant,
    sql`endpoint_id = ${endpointId} and not exists (
        select from webhook_endpoint e where e.api_key = ${tenant.apiKey} and e.id = ${endpointId} and e.active
      )`,
  )

/** Cancels the pending deliveries to all advanced endpoints. */
export const cancelAdvanced = (db: Db, tenant: ApiKeyScope): Promise<void> =>
  cancel(db, tenant, sql`endpoint_id not in ('raw', 'processed')`)

async function cancel(db: Db, { apiKey }: ApiKeyScope, condition: Sql): Promise<void> {
  await db.query(sql`
    with cancelled as (
      delete from webhook_pending
      where api_key = ${apiKey}
        and ${condition}
        -- Each arm matches a partial index. Other endpoints may have millions of rows.
        and (status = 'ready' or status = 'scheduled')
      returning *
    )
    insert into webhook_settled (api_key, event_id, endpoint_id, event_type, seq, status, attempt)
    select api_key, event_id, endpoint_id, event_type, seq, 'cancelled', attempt
    from cancelled`)
}

/** The name of the lock that serialises resends and replays of one endpoint. Nothing else takes it. */
export const redeliveryLock = ({ apiKey }: ApiKeyScope, endpointId: string): string =>
  `webhook-redeliveries ${apiKey} ${endpointId}`

/**
 * CTEs that move settled deliveries of an endpoint back to their positions in its queue, with a new retry schedule.
 * `requeued` lists the moved ones. The caller must hold `redeliveryLock`, so that none is moved twice. The deliveries
 * must be within the retention, so that their events exist.
 */
export const requeue = ({ apiKey }: ApiKeyScope, endpointId: string, eventIds: Sql, now: number): Sql => sql`
    requeued as (
      delete from webhook_settled
      where api_key = ${apiKey} and endpoint_id = ${endpointId} and event_id = any(${eventIds})
      returning *
    ),
    earlier as (
      insert into webhook_earlier_attempt (
        api_key, event_id, endpoint_id, number, sent_at, duration_ms, url, http_status, response, error)
      select api_key, event_id, endpoint_id, attempt, sent_at, duration_ms, url, http_status, response, error
      from requeued
      where sent_at is not null
    ),
    queued as (
      insert into webhook_pending (api_key, event_id, endpoint_id, event_type, seq, due_at, attempt)
      select api_key, event_id, endpoint_id, event_type, seq, ${now}::bigint, attempt
      from requeued
    )`
