import type { RenewedKeys } from '../../platform/context.ts'
import { type Db, empty, type Sql, sql } from '../../platform/db/db.ts'
import { MOST_COUNTED } from '../../platform/work/backlog.ts'
import { GONE_MS } from '../../platform/work/heartbeat.ts'
import type { User } from '../users/user.ts'
import { emailService } from '../workspaces/setting/email-service.ts'

// A claim lasts five minutes. Then its process counts as dead, and the email is sent again.
const LEASE_MS = 300_000
// A claim considers this many of the oldest due emails.
const WINDOW = 500

/** An email claimed for sending. */
export interface Claimed {
  apiKey: string
  organizationKeys: RenewedKeys | null
  id: string
  organizationKey: string
  userKey: string
  person: User
  /** 0: a test, whose content is made up. */
  activities: number
  attempt: number
  /** Whether SendGrid sends it, as the settings were when it was claimed; else the operator's mail server. */
  bySendgrid: boolean
}

interface Claim {
  count: number
  /** How many of an API key. */
  perKey: number
  /** How many of these API keys instead; 0: none. */
  rooms: ReadonlyMap<string, number>
  /** Only emails that SendGrid sends, or only those of the operator's mail server; undefined: both. */
  bySendgrid?: boolean | undefined
  /**
   * This process has no mail server: emails of the operator's are left to processes that have one, while there are any.
   */
  leavesMail?: boolean
  now: number
}

/** Claims the oldest due emails, so many of each API key as there is room. */
export async function claimDue(
  db: Db,
  { count, perKey, rooms, bySendgrid, leavesMail = false, now }: Claim,
): Promise<Claimed[]> {
  const busy = [...rooms.keys()].filter((key) => rooms.get(key) === 0)
  return db.query<Claimed>(sql`
    with due as materialized (
      select api_key, tid
      from (
        select api_key, tid, due_at, row_number() over (partition by api_key order by due_at) as position
        from (
          select ctid as tid, api_key, due_at
          from email
          where status in ('collecting', 'waiting', 'sending')
            and due_at <= ${now}::bigint
            and api_key <> all(${busy}::text[])
            ${ofProvider(bySendgrid)}
            ${leavesMail ? sql`and (${usesSendgrid(sql`email.api_key`)} or not ${someProcessSendsMail})` : empty}
          order by due_at
          limit ${WINDOW}
        ) oldest
      ) numbered
      where position <= coalesce(
        (
          select room
          from unnest(${[...rooms.keys()]}::text[], ${[...rooms.values()]}::integer[]) as known (key, room)
          where key = numbered.api_key
        ),
        ${perKey}
      )
      order by due_at
      limit ${count}
    ),
    -- By ctid, as in recordOutcomes of webhooks: by the columns of the index, each look-up might read all due emails.
    mine as materialized (
      select e.tid
      from due d
      cross join lateral (
        select ctid as tid
        from email
        where api_key = d.api_key
          and ctid = d.tid
          and due_at <= ${now}::bigint
          and status not in ('sent', 'failed', 'skipped')
        limit 1
        for update skip locked
      ) e
    )
    update email e
    set status = 'sending', due_at = ${now + LEASE_MS}::bigint, attempt = e.attempt + 1
    from mine m
    where e.ctid = m.tid
    returning e.api_key as "apiKey",
      (select organization_keys from api_key where id = e.api_key) as "organizationKeys",
      e.id, e.organization_key as "organizationKey", e.user_key as "userKey", e.person,
      e.activities, e.attempt, ${usesSendgrid(sql`e.api_key`)} as "bySendgrid"`)
}

// What is sealed in {"apiKey":""}: 16 bytes of salt, 16 of the tag and these 13, in base64url. Settings that were
// stored before empty secrets were left out may hold it. With a key of the provider it is longer.
const SEALED_EMPTY = 60

/** Whether `providerOf` returns SendGrid for an API key. */
const usesSendgrid = (apiKey: Sql): Sql => sql`
  exists (
    select
    from setting s
    where s.api_key = ${apiKey} and s.name = ${emailService.name}
      and (
        s.value -> 'config' ->> 'type' = 'sendgrid'
        or s.value -> 'config' ->> 'type' = 'custom' and length(split_part(s.sealed, '.', 2)) > ${SEALED_EMPTY}
      )
  )`

/** Appends the condition that SendGrid sends the `email`, or that the operator's mail server does. */
const ofProvider = (bySendgrid: boolean | undefined): Sql => {
  if (bySendgrid === undefined) return empty
  return bySendgrid ? sql`and ${usesSendgrid(sql`email.api_key`)}` : sql`and not ${usesSendgrid(sql`email.api_key`)}`
}

/** Whether a process with a mail server was seen lately. */
const someProcessSendsMail = sql`
  exists (
    select from service_process where seen_at > now_ms() - ${GONE_MS}::bigint and (state ->> 'sendsMail')::boolean
  )`

/** The due emails that no process has claimed, as what follows `from`, the oldest first. */
export const dueEmails = (now: number): Sql => sql`
      (
        select due_at as at
        from email
        where status in ('collecting', 'waiting', 'sending') and due_at <= ${now}::bigint
        order by due_at
      ) due`

/**
 * The emails that failed and are not due again yet, as what follows `from`, among the first 10,000 that are pending.
 */
export const emailRetries = (now: number): Sql => sql`
      (
        select at
        from (
          select due_at as at, status, attempt
          from email
          where status in ('collecting', 'waiting', 'sending') and due_at > ${now}::bigint
          order by due_at
          limit ${MOST_COUNTED}
        ) pending
        where status = 'waiting' and attempt > 0
      ) retries`

/** The outcome of a claimed email; `waiting`: it is retried at `dueAt`. */
export interface Outcome {
  status: 'sent' | 'failed' | 'skipped' | 'waiting'
  dueAt: number
  /** Why it was not sent. */
  error: string | null
}

/** Records an outcome, unless the email has been claimed again. */
export async function recordOutcome(db: Db, { apiKey, id, attempt }: Claimed, outcome: Outcome): Promise<void> {
  await db.query(sql`
    update email
    set status = ${outcome.status}, due_at = ${outcome.dueAt}::bigint, error = ${outcome.error}
    where api_key = ${apiKey} and id = ${id} and attempt = ${attempt} and status = 'sending'`)
}
