import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, empty, json, sql } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import type { Secrets } from '../../../platform/secret.ts'
import { type Commitments, commit, opens, type Part } from './chain.ts'
import { actorKey, type Organization } from './entry.ts'
import { appendEntries, type LogWriting, lockLog } from './log.ts'
import { erasedId, type Pseudonym, redact } from './redact.ts'
import { effectiveCommitments, readEntries, readLinks, type StoredEntry } from './stored-entry.ts'

const BATCH = 200

/**
 * Erases users from the next 200 log entries that name them, in the given organizations or in all. Pseudonyms replace
 * the users, and what they wrote is removed. The log records the erasure and stays verifiable. Returns false when
 * nothing was left. Call it again, each time in a new transaction, until then.
 */
export async function eraseUsers(
  context: LogWriting,
  { userKeys, organizationKeys }: { userKeys: string[]; organizationKeys?: string[] | undefined },
): Promise<boolean> {
  const { db, tenant, secrets } = context
  const organization = await nextOrganization(db, tenant, userKeys, organizationKeys)
  if (!organization) return false
  const log = await lockLog(context, organization)
  const positions = await positionsNaming(db, tenant, organization, userKeys)
  const entries = await readEntries(db, tenant, organization.key, sql`position = any(${positions}::bigint[])`)
  const pseudonym = pseudonymsFor(tenant, secrets, userKeys)
  const links = await readLinks(db, tenant, organization.key, entries)
  const erased = entries.map((entry) => eraseEntry(entry, effectiveCommitments(entry, links), pseudonym))
  const record = { erased: Object.fromEntries(erased.map(({ position, commitments }) => [position, commitments])) }
  const draft = {
    kind: 'erase' as const,
    id: null,
    documentId: null,
    replaces: null,
    record,
    actor: null,
    content: null,
  }
  const [written] = await appendEntries(context, log, erased.length > 0 ? [draft] : [])
  if (written) await replaceEntries(db, tenant, { organization, erased, erasedBy: written.position })
  // A batch can be cut short by its size. Entries that are missing from the log have nothing left to erase.
  const done = entries.at(-1)?.position ?? positions.at(-1) ?? 0
  await db.query(sql`
    delete from activity_person
    where api_key = ${tenant.apiKey} and organization_key = ${organization.key} and user_key = any(${userKeys}::uuid[])
      and position <= ${done}`)
  return true
}

async function nextOrganization(
  db: Db,
  tenant: ApiKeyTenant,
  userKeys: string[],
  organizationKeys: string[] | undefined,
): Promise<Organization | undefined> {
  const [organization] = await db.query<Organization>(sql`
    select key, id
    from organization
    where api_key = ${tenant.apiKey} and key = (
      select organization_key
      from activity_person
      where api_key = ${tenant.apiKey} and user_key = any(${userKeys}::uuid[])
        ${organizationKeys === undefined ? empty : sql`and organization_key = any(${organizationKeys}::uuid[])`}
      limit 1)
    for key share`)
  return organization
}

async function positionsNaming(db: Db, tenant: ApiKeyTenant, { key }: Organization, userKeys: string[]) {
  const rows = await db.query<{ position: number }>(sql`
    select distinct position
    from activity_person
    where api_key = ${tenant.apiKey} and organization_key = ${key} and user_key = any(${userKeys}::uuid[])
    order by position
    limit ${BATCH}`)
  return rows.map(({ position }) => position)
}

function pseudonymsFor({ apiKey }: ApiKeyTenant, secrets: Secrets, userKeys: string[]): Pseudonym {
  const pseudonyms = new Map(userKeys.map((key) => [key, erasedId(secrets, apiKey, key)]))
  return (userId) => pseudonyms.get(keyOf(userId))
}

interface Erased {
  position: number
  actor: Part | null
  content: Part | null
  commitments: Commitments
}

function eraseEntry(entry: StoredEntry, effective: Commitments | null, pseudonym: Pseudonym): Erased {
  const [actor, content] = [entry.actor?.value ?? null, entry.content?.value ?? null]
  const { userId } = (actor ?? {}) as { userId?: unknown }
  const isActorErased = typeof userId === 'string' && pseudonym(userId) !== undefined
  // Both together: the content may contain the actor's name, which only the actor's part tells.
  const redacted = redact({ actor, content }, pseudonym, isActorErased) as Record<keyof Commitments, unknown>
  const isFree = isActorErased && entry.record.featureType === 'custom'
  const kept = isFree ? templateOf(redacted.content) : redacted.content
  const parts = { actor: recommit(redacted.actor), content: recommit(kept) }
  // A part that was tampered with must keep failing verification. Its erasure keeps the commitment that it does not
  // open.
  const isGenuine = (part: keyof Commitments) => opens(entry[part], effective?.[part] ?? null)
  const commitmentOf = (part: keyof Commitments) =>
    isGenuine(part) ? (parts[part]?.commitment ?? null) : (effective?.[part] ?? null)
  return {
    position: entry.position,
    actor: parts.actor,
    content: parts.content,
    commitments: { actor: commitmentOf('actor'), content: commitmentOf('content') },
  }
}

const recommit = (value: unknown) => (value === null ? null : commit(value))

/** In a custom record any field may be personal, so only the template of its message is kept. */
function templateOf(content: unknown) {
  const { displayMessageTemplate } = (content ?? {}) as { displayMessageTemplate?: unknown }
  return displayMessageTemplate === undefined ? null : { displayMessageTemplate }
}

async function replaceEntries(
  db: Db,
  tenant: ApiKeyTenant,
  { organization, erased, erasedBy }: { organization: Organization; erased: Erased[]; erasedBy: number },
): Promise<void> {
  const positions = erased.map(({ position }) => position)
  const jsonOf = (part: Part | null) => (part === null ? null : json(part.value))
  await db.query(sql`
    update activity_entry e
    set actor = i.actor, actor_salt = decode(i.actor_salt, 'hex'), user_key = i.user_key, content = i.content,
      content_salt = decode(i.content_salt, 'hex'), erased_by = ${erasedBy}
    from unnest(
      ${positions}::bigint[],
      ${erased.map(({ actor }) => jsonOf(actor))}::jsonb[],
      ${erased.map(({ actor }) => actor?.salt ?? null)}::text[],
      ${erased.map(({ actor }) => actorKey(actor?.value ?? null))}::uuid[],
      ${erased.map(({ content }) => jsonOf(content))}::jsonb[],
      ${erased.map(({ content }) => content?.salt ?? null)}::text[]
    ) as i (position, actor, actor_salt, user_key, content, content_salt)
    where e.api_key = ${tenant.apiKey} and e.organization_key = ${organization.key} and e.position = any(${positions}::bigint[])
      and e.position = i.position`)
}
