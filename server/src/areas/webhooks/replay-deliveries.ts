import { DateRange, dateRangeIssues, endsOf } from '../../platform/date-range.ts'
import { lockLists } from '../../platform/db/list-lock.ts'
import { ApiError } from '../../platform/errors.ts'
import { firstIdAt } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { redeliveriesTo } from './delivery/delivery.ts'
import { type DeliveryStatus, statusInput } from './delivery/delivery-record.ts'
import { MOST, queueMissed, repeat } from './delivery/replay.ts'
import { keptSince } from './delivery/retention.ts'
import { requireActive } from './endpoint/endpoint.ts'

/**
 * Sends again what an endpoint was to get in a time: deliveries of one status, or without it all that are not under way
 * and the events that it missed, for example while disabled; nothing that is older than the retention. More than 10,000: FAILED_PRECONDITION, nothing is queued.
 */
export const replayDeliveries = operation({
  path: '/v2/workspace/advancedwebhook/deliveries/replay',
  auth: 'apiKey',
  access: 'write',
  summary: 'Replay the webhook deliveries of a time range',
  input: Type.Object({
    endpointId: Type.String({ minLength: 1, description: 'An endpoint, or `raw` or `processed`.' }),
    dateRange: Type.Object(DateRange.properties, { description: 'With `start`, `end` or both.' }),
    status: Type.Optional(statusInput('Only deliveries that stand there; missed events are left out then.')),
  }),
  output: Type.Object({ queued: Type.Integer({ description: 'How many deliveries were queued, at most 10,000.' }) }),
  errors: ['NOT_FOUND', 'FAILED_PRECONDITION'],
  message: 'Webhook deliveries queued successfully.',
  queues: true,
  // One whose ends are misspelt is not to send again all that is kept.
  check: ({ dateRange }) =>
    dateRange.start === undefined && dateRange.end === undefined
      ? [{ path: 'dateRange', message: 'must have start or end' }]
      : dateRangeIssues(dateRange, 'dateRange'),
}).run(async ({ db, tenant, input: { endpointId, dateRange, status }, clock, config }) => {
  await requireActive(db, tenant, endpointId)
  await lockLists(db, redeliveriesTo(tenant, endpointId))
  const range = endsOf(dateRange)
  const now = clock.now()
  const first = firstIdAt('msg_', Math.max(range.start, keptSince(config, now)))
  const period = { first, end: firstIdAt('msg_', range.end + 1), now }
  const queued = await repeat(db, tenant, endpointId, period, status as DeliveryStatus | undefined)
  requireFew(queued)
  if (status !== undefined) return { queued }
  const all = queued + (await queueMissed(db, tenant, endpointId, period, MOST + 1 - queued))
  requireFew(all)
  return { queued: all }
})

function requireFew(queued: number): void {
  if (queued <= MOST) return
  throw new ApiError(
    'FAILED_PRECONDITION',
    `More than ${MOST} deliveries are in dateRange, and none was queued. Replay shorter ranges one after the other.`,
  )
}
