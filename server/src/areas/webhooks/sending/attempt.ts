import type { Services } from '../../../platform/context.ts'
import { OutboundError, type OutboundResponse } from '../../../platform/outbound/outbound.ts'
import { ownTurn } from '../../../platform/turns/yield.ts'
import { sleepUntil } from '../../../platform/work/sleep-until.ts'
import { endpointSecretContext, type Opener } from '../endpoint/endpoint-secret.ts'
import { type Claimed, SLOT_TOLERANCE_MS } from './claim.ts'
import type { Outcome } from './outcome.ts'
import { toBody } from './payload.ts'
import { decideRetry, STANDARD_SCHEDULE } from './retry-schedule.ts'
import { signedHeaders } from './signature.ts'

const TIMEOUT_MS = 15_000
const KEPT_RESPONSE_BYTES = 4096
/** To make and write a body of a longer payload takes a millisecond or more. */
const LARGE_LENGTH = 64 * 1024

/** Sends a claimed delivery once, waiting for its slot, and returns the outcome. It never throws. */
export async function attempt(claimed: Claimed, services: Services, openSecret: Opener): Promise<Outcome> {
  if (claimed.slot !== null) await sleepUntil(claimed.slot, services.clock)
  // Claimed together, hundreds of large bodies would be encrypted, signed and written as one piece of work.
  if (claimed.payload.length > LARGE_LENGTH) await ownTurn()
  const sentAt = services.clock.now()
  if (claimed.slot !== null && sentAt > claimed.slot + SLOT_TOLERANCE_MS) return unsent(claimed, sentAt)
  const { httpStatus, retryAfter, response, error, durationMs } = await exchange(claimed, services, openSecret, sentAt)
  const schedule = claimed.retrySchedule?.map((seconds) => seconds * 1000) ?? STANDARD_SCHEDULE
  const endedAt = services.clock.now()
  services.metrics.deliveryLatency.observe(Math.max(0, endedAt - claimed.readyAt) / 1000)
  const decision = decideRetry({ tries: claimed.tries, endedAt, status: httpStatus, retryAfter }, schedule)
  services.metrics.deliveries.inc({ outcome: decision.status })
  const dueAt = decision.status === 'scheduled' ? decision.dueAt : endedAt
  const status = claimed.ordered && decision.status === 'scheduled' ? 'ready' : decision.status
  return outcomeOf(claimed, { sent: true, status, dueAt, sentAt, durationMs, httpStatus, response, error })
}

/** The outcome of a claimed delivery that is not sent: it is ready for another claim, unless it was cancelled. */
export function unsent(claimed: Claimed, now: number): Outcome {
  // An ordered endpoint is blocked from the slot on.
  const at = Math.max(now, Math.ceil(claimed.slot ?? now))
  return outcomeOf(claimed, { ...UNSENT, sent: false, status: 'ready', sentAt: at, dueAt: at })
}

// Field by field, because spreading objects dominates the time of creating many.
const outcomeOf = (
  { apiKey, eventId, endpointId, attempt, claimedUntil, url }: Claimed,
  { sent, status, dueAt, sentAt, durationMs, httpStatus, response, error }: Omit<Outcome, keyof Claimed>,
): Outcome => ({
  apiKey,
  eventId,
  endpointId,
  attempt,
  claimedUntil,
  sent,
  status,
  dueAt,
  sentAt,
  durationMs,
  url,
  httpStatus,
  response,
  error,
})

const UNSENT = { durationMs: 0, httpStatus: null, response: null, error: null }

interface Exchange {
  httpStatus: number | null
  retryAfter?: OutboundResponse['headers'][string]
  response: string | null
  error: string | null
  durationMs: number
}

async function exchange(claimed: Claimed, services: Services, openSecret: Opener, sentAt: number): Promise<Exchange> {
  try {
    const { status, headers, body, durationMs } = await services.outbound.request(
      toRequest(claimed, openSecret, sentAt),
    )
    return {
      httpStatus: status,
      retryAfter: headers['retry-after'],
      response: toStoredText(body),
      error: null,
      durationMs,
    }
  } catch (error) {
    if (error instanceof OutboundError) return { ...UNSENT, error: error.message, durationMs: error.durationMs }
    services.log.error({ err: error, endpoint: claimed.endpointId }, 'a webhook request could not be made')
    return { ...UNSENT, error: 'The request could not be made.' }
  }
}

/** The request of a delivery. Attempts differ only in time and signatures. */
function toRequest(claimed: Claimed, openSecret: Opener, sentAt: number) {
  const { apiKey, endpointId, eventId: id, kind, url } = claimed
  const keys = (claimed.secrets?.split(' ') ?? []).map((sealed) =>
    openSecret(sealed, endpointSecretContext(apiKey, endpointId)),
  )
  const body = toBody(withIdentity(claimed), claimed)
  const authentication =
    kind === 'advanced'
      ? signedHeaders(keys, { id, timestamp: Math.floor(sentAt / 1000), body })
      : keys[0] && { authorization: `Basic ${keys[0]}` }
  const headers = { 'content-type': 'application/json', 'user-agent': 'Precedent', ...authentication }
  return {
    url,
    method: 'POST' as const,
    headers,
    body,
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: KEPT_RESPONSE_BYTES,
  }
}

/** Adds the event's type and id to the payload, without parsing it. */
function withIdentity({ kind, eventType, eventId, payload }: Claimed): string {
  const fields = [
    kind === 'advanced' ? `"event":${JSON.stringify(eventType)}` : '',
    payload.slice(1, -1),
    `"webhookId":${JSON.stringify(eventId)}`,
  ]
  return `{${fields.filter(Boolean).join(',')}}`
}

// The database cannot store U+0000.
const toStoredText = (body: Buffer) => body.toString('utf8').replaceAll('\0', '\ufffd')
