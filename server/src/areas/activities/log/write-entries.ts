import type { ApiKeyTenant } from '../../../platform/context.ts'
import { json, sql, type Transaction } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import { actorKey, type ChainedEntry, keyOrNull, type Organization, targetKey } from './entry.ts'
import { userIdsIn } from './redact.ts'

/** Sends the statements that store entries of a locked log: at most three, for any number of entries. */
export function writeEntries(
  db: Transaction,
  tenant: ApiKeyTenant,
  log: { organization: Organization; at: number },
  entries: ChainedEntry[],
): void {
  insertEntries(db, tenant, log, entries)
  supersede(db, tenant, log.organization, entries)
  insertPersons(db, tenant, log.organization, entries)
}

const jsonOrNull = (value: unknown) => (value === null ? null : json(value))

function insertEntries(
  db: Transaction,
  tenant: ApiKeyTenant,
  log: { organization: Organization; at: number },
  entries: ChainedEntry[],
): void {
  db.send(sql`
    insert into activity_entry (
      api_key, organization_key, at, position, kind, activity_key, activity_id, document_key, document_id, "timestamp",
      origin, supersedes, target_key, user_key, record, actor, actor_salt, actor_commitment, content, content_salt,
      content_commitment, size, hash)
    select ${tenant.apiKey}, ${log.organization.key}, ${log.at}, e.position, e.kind, e.activity_key, e.activity_id,
      e.document_key, e.document_id, e.timestamp, e.origin, e.supersedes, e.target_key, e.user_key, e.record, e.actor,
      decode(e.actor_salt, 'hex'), decode(e.actor_commitment, 'hex'), e.content, decode(e.content_salt, 'hex'),
      decode(e.content_commitment, 'hex'), e.size, decode(e.hash, 'hex')
    from unnest(
      ${entries.map(({ position }) => position)}::bigint[],
      ${entries.map(({ kind }) => kind)}::text[],
      ${entries.map(({ id }) => keyOrNull(id))}::uuid[],
      ${entries.map(({ id }) => id)}::text[],
      ${entries.map(({ documentId }) => keyOrNull(documentId))}::uuid[],
      ${entries.map(({ documentId }) => documentId)}::text[],
      ${entries.map(({ timestamp }) => timestamp)}::bigint[],
      ${entries.map(({ origin }) => origin)}::bigint[],
      ${entries.map(({ supersedes }) => supersedes)}::bigint[],
      ${entries.map(({ record }) => targetKey(record))}::uuid[],
      ${entries.map(({ actor }) => actorKey(actor))}::uuid[],
      ${entries.map(({ record }) => json(record))}::jsonb[],
      ${entries.map(({ actor }) => jsonOrNull(actor))}::jsonb[],
      ${entries.map(({ salts }) => salts.actor)}::text[],
      ${entries.map(({ commitments }) => commitments.actor)}::text[],
      ${entries.map(({ content }) => jsonOrNull(content))}::jsonb[],
      ${entries.map(({ salts }) => salts.content)}::text[],
      ${entries.map(({ commitments }) => commitments.content)}::text[],
      ${entries.map(({ size }) => size)}::integer[],
      ${entries.map(({ hash }) => hash)}::text[]
    ) as e (
      position, kind, activity_key, activity_id, document_key, document_id, timestamp, origin, supersedes, target_key,
      user_key, record, actor, actor_salt, actor_commitment, content, content_salt, content_commitment, size, hash)`)
}

function supersede(db: Transaction, tenant: ApiKeyTenant, { key }: Organization, entries: ChainedEntry[]): void {
  const pairs = entries.flatMap(({ supersedes, position }) => (supersedes === null ? [] : [{ supersedes, position }]))
  if (pairs.length === 0) return
  const superseded = pairs.map(({ supersedes }) => supersedes)
  db.send(sql`
    update activity_entry e
    set superseded_by = i.position
    from unnest(${superseded}::bigint[], ${pairs.map(({ position }) => position)}::bigint[]) as i (superseded, position)
    where e.api_key = ${tenant.apiKey} and e.organization_key = ${key} and e.position = any(${superseded}::bigint[])
      and e.position = i.superseded`)
}

function insertPersons(db: Transaction, tenant: ApiKeyTenant, { key }: Organization, entries: ChainedEntry[]): void {
  const rows = entries.flatMap(({ position, actor, content }) =>
    [...userIdsIn([actor, content])].map((userId) => ({ userKey: keyOf(userId), position })),
  )
  if (rows.length === 0) return
  db.send(sql`
    insert into activity_person (api_key, user_key, organization_key, position)
    select ${tenant.apiKey}, p.user_key, ${key}, p.position
    from unnest(
      ${rows.map(({ userKey }) => userKey)}::uuid[],
      ${rows.map(({ position }) => position)}::bigint[]
    ) as p (user_key, position)
    on conflict do nothing`)
}
