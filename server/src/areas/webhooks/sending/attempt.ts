import type { Services } from '../../../platform/context.ts'
import { OutboundError } from '../../../platform/outbound/outbound.ts'
import { sleepUntil } from '../../../platform/work/sleep-until.ts'
import { endpointSecretContext, type Opener } from '../endpoint/endpoint-secret.ts'
import { type Claimed, SLOT_TOLERANCE_MS } from './claim.ts'
import type { Outcome } from './outcome.ts'
import { toBody } from './payload.ts'
import { judge, STANDARD_SCHEDULE } from './retry-schedule.ts'
import { signedHeaders } from './signature.ts'

const TIMEOUT_MS = 15_000
const KEPT_RESPONSE_BYTES = 4096

/** Sends a claimed delivery once, in its slot unless that has passed, and answers what came of it. It never throws. */
export async function attempt(claimed: Claimed, services: Services, openSecret: Opener): Promise<Outcome> {
  if (claimed.slot !== null) await sleepUntil(claimed.slot, services.clock)
  const sentAt = services.clock.now()
  if (claimed.slot !== null && sentAt > claimed.slot + SLOT_TOLERANCE_MS) return unsent(claimed, sentAt)
  const { httpStatus, retryAfter, response, error, durationMs } = await exchange(claimed, services, openSecret, sentAt)
  const schedule = claimed.retrySchedule?.map((seconds) => seconds * 1000) ?? STANDARD_SCHEDULE
  const endedAt = services.clock.now()
  const verdict = judge({ tries: claimed.tries, endedAt, status: httpStatus, retryAfter }, schedule)
  services.metrics.deliveries.inc({ outcome: verdict.status })
  const dueAt = verdict.status === 'scheduled' ? verdict.dueAt : endedAt
  const status = claimed.ordered && verdict.status === 'scheduled' ? 'ready' : verdict.status
  return outcomeOf(claimed, { sent: true, status, dueAt, sentAt, durationMs, httpStatus, response, error })
}

/** What comes of a claimed delivery that is not sent: it waits for another claim, unless it was cancelled. */
export function unsent(claimed: Claimed, now: number): Outcome {
  // An ordered endpoint is held from the slot on.
  const at = Math.max(now, Math.ceil(claimed.slot ?? now))
  return outcomeOf(claimed, { ...UNSENT, sent: false, status: 'ready', sentAt: at, dueAt: at })
}

// Field by field: copying objects is what making many of them spends its time with.
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
  retryAfter?: string | undefined
  response: string | null
  error: string | null
  durationMs: number
}

async function exchange(claimed: Claimed, services: Services, openSecret: Opener, sentAt: number): Promise<Exchange> {
  try {
    const { status, headers, body, durationMs } = await services.outbound.request(
      toRequest(claimed, openSecret, sentAt),
    )
    const patience = headers['retry-after']
    const retryAfter = Array.isArray(patience) ? patience[0] : patience
    return { httpStatus: status, retryAfter, response: readable(body), error: null, durationMs }
  } catch (error) {
    if (error instanceof OutboundError) return { ...UNSENT, error: error.message, durationMs: error.durationMs }
    services.log.error({ err: error, endpoint: claimed.endpointId }, 'a webhook request could not be made')
    return { ...UNSENT, error: 'The request could not be made.' }
  }
}

/** The request of a delivery: the same for every attempt, but for its time and signatures. */
function toRequest(claimed: Claimed, openSecret: Opener, sentAt: number) {
  const { apiKey, endpointId, eventId: id, kind, url } = claimed
  const keys = (claimed.secrets?.split(' ') ?? []).map((sealed) =>
    openSecret(sealed, endpointSecretContext(apiKey, endpointId)),
  )
  const body = toBody(named(claimed), claimed)
  const proof =
    kind === 'advanced'
      ? signedHeaders(keys, { id, timestamp: Math.floor(sentAt / 1000), body })
      : keys[0]
        ? { authorization: `Basic ${keys[0]}` }
        : {}
  const headers = { 'content-type': 'application/json', 'user-agent': 'Precedent', ...proof }
  return {
    url,
    method: 'POST' as const,
    headers,
    body,
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: KEPT_RESPONSE_BYTES,
  }
}

/** The payload with the fields that tell what it is and identify it; it is not parsed for that. */
function named({ kind, eventType, eventId, payload }: Claimed): string {
  const fields = [
    kind === 'advanced' ? `"event":${JSON.stringify(eventType)}` : '',
    payload.slice(1, -1),
    `"webhookId":${JSON.stringify(eventId)}`,
  ]
  return `{${fields.filter(Boolean).join(',')}}`
}

// The database keeps no U+0000.
const readable = (body: Buffer) => body.toString('utf8').replaceAll('\0', '\ufffd')
