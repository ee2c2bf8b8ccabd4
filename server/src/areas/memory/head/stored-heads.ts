import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { randomId } from '../../../platform/id.ts'
import type { Secrets } from '../../../platform/secret.ts'
import { isNewer, OTHERS_KEPT_MS, storedFormat } from '../indexing/stored-form.ts'
import type { Head } from './head.ts'
import { HEAD_FORM, packHead, unpackHead } from './pack-head.ts'

type Key = Pick<Secrets, 'currentKeyId' | 'sealBytes' | 'openBytes'>

const formatOf = (secrets: Key) => storedFormat(HEAD_FORM, secrets)
const contextOf = (apiKey: string, version: string) => `judgment-head:${apiKey}:${version}`

/** SQL: the version of the head of an API key; null if there is none that can be read. */
export const headVersion = (apiKey: string, secrets: Key): Sql => sql`(
  select version from judgment_head where api_key = ${apiKey} and format = ${formatOf(secrets)})`

/** Reads a head; undefined if it is gone. One that cannot be read is deleted, and fitted again. */
export async function readHead(db: Db, apiKey: string, version: string, secrets: Key): Promise<Head | undefined> {
  const [row] = await db.query<{ sealed: Uint8Array }>(sql`
    select sealed from judgment_head where api_key = ${apiKey} and version = ${version}`)
  if (!row) return undefined
  try {
    return await unpackHead(secrets.openBytes([row.sealed], contextOf(apiKey, version)))
  } catch {
    await db.query(sql`
      with gone as (delete from judgment_head where api_key = ${apiKey} and version = ${version})
      update judgment_head_fit set next_change = 0 where api_key = ${apiKey}`)
    return undefined
  }
}

/** What is learned from the judgments of an API key: nothing of too few, or not yet, or a head. */
export interface LearningState {
  status: 'tooFewJudgments' | 'pending' | 'ready'
  learnedAt: number | null
}

/** Reads it. `fewest`: the changes from which on an API key may have enough judgments. */
export async function learningState(db: Db, apiKey: string, fewest: number, secrets: Key): Promise<LearningState> {
  const [row] = await db.query<{ learnedAt: number | null; isDue: boolean }>(sql`
    select case when h.format = ${formatOf(secrets)} then h.fitted_at end as "learnedAt",
      -- A head of another form is fitted again.
      h.api_key is not null or coalesce(f.is_running, false) or l.change >= coalesce(f.next_change, ${fewest}) as "isDue"
    from judgment_log l
    left join judgment_head_fit f on f.api_key = l.api_key
    left join judgment_head h on h.api_key = l.api_key
    where l.api_key = ${apiKey}`)
  const { learnedAt = null, isDue = false } = row ?? {}
  if (learnedAt !== null) return { status: 'ready', learnedAt }
  return { status: isDue ? 'pending' : 'tooFewJudgments', learnedAt }
}

/** An API key whose head is to be fitted. */
export interface FitClaim {
  apiKey: string
  workspaceId: string
  attempt: number
}

/**
 * Claims an API key whose judgments have changed enough, or whose head is of another form, until `until`; undefined if
 * there is none. A head of a newer form is left alone for a day: processes that run side by side would fit it again in
 * turn. `fewest`: the changes from which on an API key may have enough judgments.
 */
export async function claimFit(
  db: Db,
  secrets: Key,
  { now, until, fewest }: { now: number; until: number; fewest: number },
): Promise<FitClaim | undefined> {
  const [claim] = await db.query<FitClaim>(sql`
    with due as (
      select l.api_key, k.workspace_id
      from judgment_log l
      join api_key k on k.id = l.api_key
      left join judgment_head_fit f on f.api_key = l.api_key
      left join judgment_head h on h.api_key = l.api_key
      where l.change >= ${fewest} and coalesce(f.due_at, 0) <= ${now}::bigint
        and (h.api_key is null or h.fitted_at < ${now - OTHERS_KEPT_MS}::bigint or not ${isNewer(sql`h.format`, HEAD_FORM)})
        and (
          f.api_key is null
          or l.change >= f.next_change
          or (f.stale_at <= ${now}::bigint and l.change > f.seen_change)
          or h.format <> ${formatOf(secrets)}
        )
      order by coalesce(f.due_at, 0)
      limit 1
    ), claimed as (
      insert into judgment_head_fit as f (api_key, attempt, is_running, due_at)
      select api_key, 1, true, ${until}::bigint from due
      on conflict (api_key) do update
        set attempt = f.attempt + 1, is_running = true, due_at = excluded.due_at
        where f.due_at <= ${now}::bigint
      returning api_key, attempt
    )
    select c.api_key as "apiKey", d.workspace_id as "workspaceId", c.attempt
    from claimed c
    join due d on d.api_key = c.api_key`)
  return claim
}

/**
 * Waits for the changes that began before the claim, and returns the last change. What is read after that is what every
 * later change is compared with: it voids the claim.
 */
export async function settledChange(db: Db, { apiKey }: FitClaim): Promise<number> {
  const [row] = await db.query<{ change: number }>(sql`
    select change from judgment_log where api_key = ${apiKey} for update`)
  return row?.change ?? 0
}

/** When to fit again. */
export interface NextFit {
  /** The last change that the fit has seen, and the one from which on it is fitted again. */
  seenChange: number
  nextChange: number
  /** From then on it is fitted again after any change. */
  staleAt: number
  /** Not before. */
  dueAt: number
}

/** Ends a claim, and stores the head if there is one; nothing if a change has voided the claim. */
export async function endFit(
  db: Db,
  { apiKey, attempt }: FitClaim,
  head: Head | undefined,
  next: NextFit,
  secrets: Key,
): Promise<void> {
  const version = randomId('head_')
  const sealed = head && secrets.sealBytes(await packHead(head), contextOf(apiKey, version))
  await db.query(sql`
    with mine as (
      update judgment_head_fit
      set is_running = false, due_at = ${next.dueAt}::bigint, next_change = ${next.nextChange}::bigint,
        seen_change = ${next.seenChange}::bigint, stale_at = ${next.staleAt}::bigint
      where api_key = ${apiKey} and attempt = ${attempt} and is_running
      returning api_key
    ), stored as (
      insert into judgment_head (api_key, version, format, sealed)
      select api_key, ${version}, ${formatOf(secrets)}, ${sealed ?? null}::bytea
      from mine
      where ${sealed !== undefined}
      on conflict (api_key) do update
        set version = excluded.version, format = excluded.format, sealed = excluded.sealed, fitted_at = now_ms()
    )
    select from mine`)
}

/** Whether a claim still holds; it then holds until `until`. */
export async function extendFit(db: Db, { apiKey, attempt }: FitClaim, until: number): Promise<boolean> {
  const rows = await db.query(sql`
    update judgment_head_fit
    set due_at = ${until}::bigint
    where api_key = ${apiKey} and attempt = ${attempt} and is_running
    returning api_key`)
  return rows.length > 0
}
