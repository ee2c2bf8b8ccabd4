import { DateRange, dateRangeIssues, endsOf } from '../../platform/date-range.ts'
import { lockByName } from '../../platform/db/list-lock.ts'
import { ApiError } from '../../platform/errors.ts'
import { firstIdAt } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { redeliveryLock } from './delivery/delivery.ts'
import { type DeliveryStatus, statusInput } from './delivery/delivery-record.ts'
import { MAX_REPLAYED, queueMissedEvents, requeueDeliveries } from './delivery/replay.ts'
import { retentionStart } from './delivery/retention.ts'
import { requireActive } from './endpoint/endpoint.ts'

/**
 * Sends an endpoint's deliveries of a time range again, if they are not in flight: those of one status, or all. Without
 * `status` it also sends events that the endpoint missed, for example while disabled. It sends no test events, and
 * nothing older than the retention. If there are more than 10,000, it throws FAILED_PRECONDITION and queues nothing.
 */
export const replayDeliveries = operation({
  path: '/v2/workspace/advancedwebhook/deliveries/replay',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: 'Replay the webhook deliveries of a time range',
  description: 'Test events are not replayed; `deliveries/resend` repeats one.',
  input: Type.Object({
    endpointId: Type.String({ minLength: 1, description: 'An endpoint, or `raw` or `processed`.' }),
    dateRange: Type.Object(DateRange.properties, { description: 'With `start`, `end` or both.' }),
    status: Type.Optional(
      statusInput('Only deliveries with this status; events without a delivery are then left out.'),
    ),
  }),
  example: {
    endpointId: 'ep_0123456789abcdef01234567',
    dateRange: { start: 1767225600000, end: 1767312000000 },
    status: 'failed',
  },
  output: Type.Object({ queued: Type.Integer({ description: 'How many deliveries were queued, at most 10,000.' }) }),
  errors: ['NOT_FOUND', 'FAILED_PRECONDITION'],
  message: 'Webhook deliveries queued successfully.',
  queues: true,
  // Misspelt ends must not replay everything that is stored.
  check: ({ dateRange }) =>
    dateRange.start === undefined && dateRange.end === undefined
      ? [{ path: 'dateRange', message: 'must have start or end' }]
      : dateRangeIssues(dateRange, 'dateRange'),
}).run(async ({ db, tenant, input: { endpointId, dateRange, status }, clock, config }) => {
  await requireActive(db, tenant, endpointId)
  await lockByName(db, redeliveryLock(tenant, endpointId))
  const range = endsOf(dateRange)
  const now = clock.now()
  const first = firstIdAt('msg_', Math.max(range.start, retentionStart(config, now)))
  const replay = { endpointId, first, end: firstIdAt('msg_', range.end + 1), now }
  const queued = await requeueDeliveries(db, tenant, replay, status as DeliveryStatus | undefined)
  requireAtMostMax(queued)
  if (status !== undefined) return { queued }
  const all = queued + (await queueMissedEvents(db, tenant, replay, MAX_REPLAYED + 1 - queued))
  requireAtMostMax(all)
  return { queued: all }
})

function requireAtMostMax(queued: number): void {
  if (queued <= MAX_REPLAYED) return
  throw new ApiError(
    'FAILED_PRECONDITION',
    `More than ${MAX_REPLAYED} deliveries are in dateRange, and none was queued. Replay shorter ranges one after the other.`,
  )
}
