import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql, type Transaction, together } from '../../../platform/db/db.ts'
import type { Secrets } from '../../../platform/secret.ts'
import { mapWithRests } from '../../../platform/turns/yield.ts'
import { organizationKeyOf } from '../../organizations/organization-key.ts'
import { genesisOf, sealInput } from './chain.ts'
import { chainEntry, type EntryDraft, type Organization, type WrittenEntry } from './entry.ts'
import { writeEntries } from './write-entries.ts'

/** The context of reading a log: tenant and the keys of the seal. */
export interface LogContext {
  db: Db
  tenant: ApiKeyTenant
  secrets: Secrets
}

/** The context of writing a log. */
export interface LogWriting extends LogContext {
  db: Transaction
}

/** The end of a log, locked until the transaction ends. */
export interface LockedLog {
  organization: Organization
  count: number
  head: string
  /** The time of the next entries. */
  at: number
  /** False: the seal does not match, so somebody changed the log. Such a log is never sealed again. */
  intact: boolean
}

/**
 * Locks the log of an organization, so that writers take turns. The transaction must protect the organization from
 * deletion.
 */
export async function lockLog({ db, tenant, secrets }: LogWriting, organization: Organization): Promise<LockedLog> {
  const { apiKey } = tenant
  const empty = { count: 0, head: genesisOf(apiKey, organization.id) }
  const locked = db.query<{ count: number; head: string; at: number; seal: string }>(sql`
    insert into activity_log (api_key, organization_key, count, head, at, seal)
    values (${apiKey}, ${organization.key}, 0, decode(${empty.head}, 'hex'), now_ms(),
      ${secrets.hash(sealInput(apiKey, organization.key, empty))})
    on conflict (api_key, organization_key) do update set at = greatest(activity_log.at, now_ms())
    returning count, encode(head, 'hex') as head, at, seal`)
  // A separate statement, because one that waits for the lock still sees the log as it was before.
  const read = db.query<{ position: number | null }>(sql`
    select max(position) as position
    from activity_entry
    where api_key = ${apiKey} and organization_key = ${organization.key}`)
  const [[log], [last]] = await together([locked, read])
  if (!log || !last) throw new Error('The activity log could not be locked.')
  const surplus = (last.position ?? 0) > log.count
  const intact = !surplus && secrets.verify(sealInput(apiKey, organization.key, log), log.seal)
  const { head, at } = log
  return { organization, count: Math.max(log.count, last.position ?? 0), head, at, intact }
}

/** As `lockLog`; returns undefined if the organization does not exist. */
export async function findAndLockLog(context: LogWriting, organizationId: string): Promise<LockedLog | undefined> {
  const { db, tenant } = context
  const key = organizationKeyOf(tenant, organizationId)
  const [found] = await db.query(sql`
    select 1 as found from organization where api_key = ${tenant.apiKey} and key = ${key} and retired_at is null
    for key share`)
  return found && lockLog(context, { key, id: organizationId })
}

/** Appends entries to a locked log: sends at most four statements, for any number of entries. */
export async function appendEntries(
  { db, tenant, secrets }: LogWriting,
  log: LockedLog,
  drafts: EntryDraft[],
): Promise<WrittenEntry[]> {
  if (drafts.length === 0) return []
  const { apiKey } = tenant
  const { organization } = log
  let previous = log.head
  let position = log.count
  const entries = await mapWithRests(drafts, (draft) => {
    position += 1
    const entry = chainEntry(draft, log.at, position, previous)
    previous = entry.hash
    return entry
  })
  log.count = position
  log.head = previous
  writeEntries(db, tenant, log, entries)
  db.send(sql`
    update activity_log
    set count = ${log.count}, head = decode(${log.head}, 'hex'), at = ${log.at},
      seal = ${log.intact ? secrets.hash(sealInput(apiKey, organization.key, log)) : 'broken'}
    where api_key = ${apiKey} and organization_key = ${organization.key}`)
  return entries
}
