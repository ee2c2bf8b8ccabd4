import { type Sql, sql } from '../../../platform/db/db.ts'

/** The outcome of a claimed delivery. */
export interface Outcome {
  apiKey: string
  eventId: string
  endpointId: string
  attempt: number
  /** Identifies the claim. */
  claimedUntil: number
  /** False if its slot had passed, or its claim no longer held. */
  sent: boolean
  /** `ready` after an attempt: a retry of an ordered endpoint, whose own row blocks it until `dueAt`. */
  status: 'ready' | 'succeeded' | 'failed' | 'scheduled'
  dueAt: number
  sentAt: number
  durationMs: number
  url: string
  httpStatus: number | null
  response: string | null
  error: string | null
}

/** The columns of webhook_earlier_attempt that an outcome fills, in this order. */
export const ATTEMPT_COLUMNS: Sql = sql`
        api_key, event_id, endpoint_id, number, sent_at, duration_ms, url, http_status, response, error`

/** Outcomes as SQL rows `o`, numbered from 1 by `position`. */
export const rowsOf = (outcomes: Outcome[]): Sql => sql`
      unnest(
        ${outcomes.map(({ apiKey }) => apiKey)}::text[],
        ${outcomes.map(({ eventId }) => eventId)}::text[],
        ${outcomes.map(({ endpointId }) => endpointId)}::text[],
        ${outcomes.map(({ attempt }) => attempt)}::integer[],
        ${outcomes.map(({ claimedUntil }) => claimedUntil)}::bigint[],
        ${outcomes.map(({ sent }) => sent)}::boolean[],
        ${outcomes.map(({ status }) => status)}::text[],
        ${outcomes.map(({ dueAt }) => dueAt)}::bigint[],
        ${outcomes.map(({ sentAt }) => sentAt)}::bigint[],
        ${outcomes.map(({ durationMs }) => durationMs)}::integer[],
        ${outcomes.map(({ url }) => url)}::text[],
        ${outcomes.map(({ httpStatus }) => httpStatus)}::integer[],
        ${outcomes.map(({ response }) => response)}::text[],
        ${outcomes.map(({ error }) => error)}::text[]
      ) with ordinality as o (
        api_key, event_id, endpoint_id, attempt, claimed_until, sent, status, due_at, sent_at, duration_ms, url,
        http_status, response, error, position)`
