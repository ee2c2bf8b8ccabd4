import { type Database, sql } from '../../server/src/platform/db/db.ts'
import { analyze, keyInSql as key, statement } from '../subject.ts'
import { ORGANIZATION } from './prototype.ts'

/** An API key to be filled: it has prototypes already, or takes those of another key. */
export interface Filled {
  apiKey: string
  rows: number
  /** The key whose prototypes are taken; the key itself is created. */
  like?: string
  /** The number of small organizations beside the main one. */
  small?: number
}

/** There are so many of each record in a small organization. */
const OF_SMALL = 5

const numbered = (noun: string, number = 'i') => `'${noun}-' || ${number}`
/** There are so many records of each document, thread or user. */
const SHARE = 1_000
const shared = (noun: string) => numbered(noun, 'i % k.shared')
const small = (noun: string) => numbered(noun, `i - i % ${OF_SMALL}`)

const named = (noun: string) => ({ key: key(numbered(noun)), id: numbered(noun) })
const ofDocument = { document_key: key(shared('document')) }
const thread = key(numbered('thread'))
const user = key(shared('user'))

/** An event id of the same time, as long as others. */
const eventId = (prototype: string) => `left(${prototype}, 18) || lpad(i::text, 12, '0')`

/** How the columns of row `i` differ from those of its prototype `t`, table by table. */
const TABLES: [table: string, prototypes: string, columns: Record<string, string>][] = [
  ['organization', `t.id = 'organization-0'`, { ...named('organization'), name: `'Organization ' || i` }],
  ['folder', 'true', { ...named('folder'), name: `'Folder ' || i` }],
  ['document', `t.id = 'document-0'`, { ...named('document'), name: `'Plan ' || i` }],
  ['app_user', 'true', { ...named('user'), name: `'User ' || i`, email: `'user-' || i || '@example.com'` }],
  ['access_grant', 'true', { user_key: key(numbered('user')) }],
  ['user_group', 'true', named('group')],
  ['user_group_member', 'true', { group_key: key(shared('group')), user_key: key(numbered('user')) }],
  [
    'comment_annotation',
    'true',
    {
      ...named('thread'),
      ...ofDocument,
      number: 'i + 1',
      from_key: user,
      location_key: 'null',
      created_at: 't.created_at + i',
      updated_at: 't.updated_at + i',
    },
  ],
  ['comment', 'true', { annotation_key: thread, created_at: 't.created_at + i', updated_at: 't.updated_at + i' }],
  ['comment_participant', 'true', { annotation_key: thread, user_key: user }],
  ['reaction', 'true', { ...named('reaction'), ...ofDocument, annotation_key: thread, from_key: user }],
  ['recording', 'true', { ...named('recording'), ...ofDocument, user_key: user }],
  [
    'notification',
    `t.id = 'notification-0'`,
    { ...named('notification'), ...ofDocument, actor_key: user, timestamp: 't.timestamp + i' },
  ],
  [
    'notification_recipient',
    `t.notification_key = ${key(`'notification-0'`)}`,
    { notification_key: key(numbered('notification')), user_key: user, timestamp: 't.timestamp + i' },
  ],
  [
    'notification_preference',
    'true',
    {
      user_key: key(numbered('user')),
      document_key: `case when k.is_small then ${ofDocument.document_key} else t.document_key end`,
    },
  ],
  // Before the first position, so that the chain of the log stays whole.
  [
    'activity_entry',
    `t.activity_id = 'activity-0'`,
    {
      position: '-i',
      origin: '-i',
      activity_key: key(numbered('activity')),
      activity_id: numbered('activity'),
      document_key: key(shared('document')),
      document_id: shared('document'),
      current_document_id: shared('document'),
      target_key: key(shared('target')),
      user_key: user,
      at: 't.at - i',
      timestamp: 't.timestamp - i',
    },
  ],
  [
    'judgment',
    't.annotation_key is null',
    {
      key: key(numbered('judgment')),
      record_id: numbered('judgment'),
      change: 't.change + i',
      ...ofDocument,
      reviewer_key: user,
      created_at: 't.created_at + i',
    },
  ],
  ['event', `t.type = 'comment_annotation.add'`, { id: eventId('t.id'), document_id: shared('document') }],
  ['webhook_settled', 'true', { event_id: eventId('t.event_id') }],
  ['email', 'true', { id: numbered('email'), user_key: user, due_at: 't.due_at + i' }],
]

/** Multiplies the prototypes of each table by SQL, so that every key has so many of each record but those `without`. */
export async function fill(database: Database, keys: Filled[], without: string[] = []): Promise<void> {
  await writeHistory(database)
  for (const { apiKey, like } of keys) if (like) await copyKey(database, apiKey, like)
  const values = keys.flatMap(partsOf)
  for (const [table, prototypes, changed] of TABLES) {
    if (without.includes(table)) continue
    const columns = await columnsOf(database, table)
    const value = (column: string) => changed[column] ?? OF_PLACE[column] ?? `t."${column}"`
    await statement(
      database,
      `insert into ${table} (${columns.map((column) => `"${column}"`).join()})
       select ${columns.map(value).join()}
       from (values ${values.join()}) as k (api_key, prototype, is_small, first, rows, shared)
       join ${table} t on t.api_key = k.prototype and ${prototypes}
       cross join lateral generate_series(k.first, k.first + k.rows - 1) as i
       where ${table === 'organization' ? `not k.is_small or i % ${OF_SMALL} = 0` : 'true'}`,
    )
  }
  await statement(
    database,
    `insert into comment_annotation_count (api_key, organization_key, document_key, count)
     select api_key, organization_key, document_key, count(*) from comment_annotation group by 1, 2, 3
     on conflict (api_key, organization_key, document_key) do update set count = excluded.count`,
  )
  await statement(
    database,
    `update judgment_log l
     set change = (select max(j.change) from judgment j where j.api_key = l.api_key)`,
  )
  await analyze(database)
}

/** The columns that say where a row lies. */
const OF_PLACE: Record<string, string> = {
  api_key: 'k.api_key',
  organization_key: `case when k.is_small then ${key(small('organization'))} else t.organization_key end`,
  organization_id: `case when k.is_small then ${small('organization')} else t.organization_id end`,
}

/** The records of the main organization, and those of small ones. What these have they share with no one. */
function partsOf({ apiKey, rows, like, small = 0 }: Filled): string[] {
  const first = like ? 0 : 1
  const part = (isSmall: boolean, from: number, count: number, shared: number) =>
    `('${apiKey}', '${like ?? apiKey}', ${isSmall}, ${from}, ${count}, ${shared})`
  const main = part(false, first, rows - first, Math.floor(rows / SHARE) + 1)
  const after = Math.ceil(rows / OF_SMALL) * OF_SMALL
  return small > 0 ? [main, part(true, after, small * OF_SMALL, after + small * OF_SMALL)] : [main]
}

/** The columns of a table that have neither a generated value nor one of a sequence. */
async function columnsOf(database: Database, table: string): Promise<string[]> {
  const rows = await database.query<{ name: string }>(sql`
    select column_name as name
    from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER' and is_identity = 'NO'
    order by ordinal_position`)
  return rows.map(({ name }) => name)
}

/** Makes prototypes of what only workers write: a delivery that succeeded and an email that was sent. */
async function writeHistory(database: Database): Promise<void> {
  for (const text of [
    `insert into webhook_settled (
       api_key, event_id, endpoint_id, event_type, seq, status, attempt, sent_at, duration_ms, url, http_status)
     select api_key, event_id, endpoint_id, event_type, seq, 'succeeded', 1, due_at, 5, 'https://hooks.example.com/', 200
     from webhook_pending
     where event_type = 'comment_annotation.add'`,
    'delete from webhook_pending',
    `insert into email (api_key, id, organization_key, user_key, person, activities, status, due_at)
     select api_key, 'email-0', organization_key, user_key, person, 1, 'sent', timestamp
     from notification_recipient
     where notification_key = ${key(`'notification-0'`)}`,
  ]) {
    await statement(database, text)
  }
}

/** Makes a key with the organization of another. */
async function copyKey(database: Database, apiKey: string, like: string): Promise<void> {
  await statement(
    database,
    `insert into api_key (id, workspace_id, owner_email, name, type)
     select '${apiKey}', workspace_id, owner_email, name, type from api_key where id = '${like}'`,
  )
  await statement(
    database,
    `insert into organization (api_key, key, id)
     select '${apiKey}', key, id from organization where api_key = '${like}' and id = '${ORGANIZATION}'`,
  )
}
