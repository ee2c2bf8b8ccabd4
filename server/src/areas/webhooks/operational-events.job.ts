import { type Db, sql } from '../../platform/db/db.ts'
import { job } from '../../platform/work/job.ts'
import { cancelUnlessActive } from './delivery/delivery.ts'
import { endpointDisabled, messageAttemptExhausted } from './endpoint/event-type.ts'
import { endpointDisabledEvent, operationalEvent } from './endpoint/operational-event.ts'

/** Emits `endpoint.disabled` for an endpoint that its failures disabled, and cancels its pending deliveries. */
export const announceDisabled = job<{ endpointId: string; reason: 'gone' | 'failing' }>({
  name: 'webhooks.endpoint-disabled',
  run: async ({ db, tenant, emit }, { endpointId, reason }) => {
    const [endpoint] = await db.query<{ url: string; failing_since: number | null }>(sql`
      select url, failing_since
      from webhook_endpoint
      where api_key = ${tenant.apiKey} and id = ${endpointId} and disabled`)
    // It was deleted or enabled again meanwhile.
    if (!endpoint) return
    await cancelUnlessActive(db, tenant, endpointId)
    await emit(endpointDisabled, [
      endpointDisabledEvent({ endpointId, url: endpoint.url, reason, failingSince: endpoint.failing_since }),
    ])
  },
})

/** Emits `message.attempt.exhausted` when the last retry of a message has failed. */
export const announceExhausted = job<{ eventId: string; endpointId: string }>({
  name: 'webhooks.message-exhausted',
  run: async ({ db, tenant, emit }, { eventId, endpointId }) => {
    const message = await readMessage(db, tenant.apiKey, eventId, endpointId)
    if (!message) return
    const { organizationId, documentId, ...rest } = message
    const data = { endpointId, messageId: eventId, ...rest }
    await emit(messageAttemptExhausted, [operationalEvent('exhausted', { organizationId, documentId }, data)])
  },
})

interface Message {
  organizationId: string
  documentId: string | null
  eventType: string
  attempts: number
  lastStatus: number | null
  lastError: string | null
  lastAttemptAt: number
}

async function readMessage(db: Db, apiKey: string, eventId: string, endpointId: string): Promise<Message | undefined> {
  const [message] = await db.query<Message>(sql`
    select e.organization_id as "organizationId", e.document_id as "documentId", e.type as "eventType",
      a.number as attempts, a.http_status as "lastStatus", a.error as "lastError", a.sent_at as "lastAttemptAt"
    from webhook_attempt a
    join event e on e.api_key = a.api_key and e.id = a.event_id
    where a.api_key = ${apiKey} and a.event_id = ${eventId} and a.endpoint_id = ${endpointId}
    order by a.number desc
    limit 1`)
  return message
}
