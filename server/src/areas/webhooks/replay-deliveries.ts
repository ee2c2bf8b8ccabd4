import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, empty, sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { firstIdAt } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { DateRange, dateRangeIssues, endsOf } from '../activities/date-range.ts'
import { type DeliveryStatus, statusInput, storedStatuses } from './delivery-record.ts'
import { requireActive } from './endpoint.ts'
import { subscribes } from './subscription.ts'

/** What one call queues at most. */
const MOST = 10_000

/**
 * Sends again what an endpoint was to get in a time: deliveries of one status, or without it all that are not under way
 * and the events that it missed, for example while disabled. More than 10,000: FAILED_PRECONDITION, nothing is queued.
 */
export const replayDeliveries = operation({
  path: '/v2/workspace/advancedwebhook/deliveries/replay',
  auth: 'apiKey',
  access: 'write',
  summary: 'Replay the webhook deliveries of a time range',
  input: Type.Object({
    endpointId: Type.String({ minLength: 1, description: 'An endpoint, or `raw` or `processed`.' }),
    dateRange: DateRange,
    status: Type.Optional(statusInput('Only deliveries that stand there; missed events are left out then.')),
  }),
  output: Type.Object({ queued: Type.Integer({ description: 'How many deliveries were queued, at most 10,000.' }) }),
  errors: ['NOT_FOUND', 'FAILED_PRECONDITION'],
  message: 'Webhook deliveries queued successfully.',
  queues: true,
  check: ({ dateRange }) => dateRangeIssues(dateRange, 'dateRange'),
}).run(async ({ db, tenant, input: { endpointId, dateRange, status }, clock }) => {
  await requireActive(db, tenant, endpointId)
  const range = endsOf(dateRange)
  const period = { first: firstIdAt('msg_', range.start), end: firstIdAt('msg_', range.end + 1), now: clock.now() }
  const queued = await repeat(db, tenant, endpointId, period, status as DeliveryStatus | undefined)
  requireFew(queued)
  if (status !== undefined) return { queued }
  const all = queued + (await queueMissed(db, tenant, endpointId, period, MOST + 1 - queued))
  requireFew(all)
  return { queued: all }
})

/** Event ids from `first` up to `end`. */
type Period = { first: string; end: string; now: number }

/** Queues deliveries that there were, the oldest first, one more than are allowed at most; answers how many. */
async function repeat(
  db: Db,
  { apiKey }: ApiKeyTenant,
  endpointId: string,
  { first, end, now }: Period,
  status: DeliveryStatus | undefined,
): Promise<number> {
  // An array of ids is looked up in the index; joined, each would be compared with each while the planner knows nothing.
  const rows = await db.query(sql`
    update webhook_delivery
    set status = 'ready', due_at = ${now}::bigint, claimed_until = 0, tries = 0
    where api_key = ${apiKey}
      and endpoint_id = ${endpointId}
      and event_id = any(array(
        select event_id
        from webhook_delivery
        where api_key = ${apiKey}
          and endpoint_id = ${endpointId}
          and event_id >= ${first}
          and event_id < ${end}
          and status in ('scheduled', 'succeeded', 'failed', 'cancelled')
          ${status === undefined ? empty : sql`and status = any(${storedStatuses(status)}::text[])`}
        order by event_id
        limit ${MOST + 1}
        for no key update
      ))
    returning attempt`)
  return rows.length
}

/** Queues events that the endpoint subscribes to and missed, at most `limit`; answers how many. */
async function queueMissed(
  db: Db,
  { apiKey }: ApiKeyTenant,
  endpointId: string,
  { first, end, now }: Period,
  limit: number,
): Promise<number> {
  const rows = await db.query(sql`
    insert into webhook_delivery (api_key, event_id, endpoint_id, event_type, status, due_at)
    select v.api_key, v.id, t.id, v.type, 'ready', ${now}::bigint
    from event v
    join webhook_endpoint t on t.api_key = v.api_key and t.id = ${endpointId}
    where v.api_key = ${apiKey}
      and v.id >= ${first}
      and v.id < ${end}
      -- The payload is read of those alone that it subscribes to.
      and case
        when ${subscribes(sql`v.type`, sql`array[v.organization_id, v.document_id]`)} then v.advanced -> 'test' is null
      end
      -- Offset: looked up event by event for sure, never joined in whole.
      and not exists (
        select
        from webhook_delivery d
        where d.api_key = v.api_key and d.event_id = v.id and d.endpoint_id = t.id
        offset 0
      )
    order by v.id
    limit ${limit}
    on conflict do nothing
    returning attempt`)
  return rows.length
}

function requireFew(queued: number): void {
  if (queued <= MOST) return
  throw new ApiError(
    'FAILED_PRECONDITION',
    `More than ${MOST} deliveries are in dateRange, and none was queued. Replay shorter ranges one after the other.`,
  )
}
