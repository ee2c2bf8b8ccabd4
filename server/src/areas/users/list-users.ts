import { withFields } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, empty, type Sql, sql } from '../../platform/db/db.ts'
import { holdsText } from '../../platform/db/find-by-text.ts'
import { type Cut, withinBytes } from '../../platform/page.ts'
import { type Static, Type } from '../../platform/schema.ts'
import { accessRole, isLive, type Role } from '../permissions/access/grant.ts'
import type { Level } from './level.ts'
import { toUser, User, UserInput, type UserRow, userColumns } from './user.ts'

/** A user as listed at a level. */
export const Listed = Type.Object({
  ...User.properties,
  contacts: UserInput.properties.contacts,
  accessRole: Type.Optional(accessRole),
  accessFields: Type.Optional(Type.Array(Type.String(), { description: 'The access fields given at this level.' })),
})
export type Listed = Static<typeof Listed>

/** The users of one level, those of every document (once per document), or of any document (each once). */
export type Listing = Level | 'everyDocument' | 'anyDocument'

/** Which users to list; a missing filter matches all. */
export interface UserFilters {
  organizationKey: string
  userKeys: string[] | undefined
  groupKeys: string[] | undefined
  /** Part of the id, the name or the address, in any case. */
  searchKey: string | undefined
}

/** The position of an entry: its resource and the order of granting, or the key of the user. */
export type Position = [resourceKey: string, seq: number] | [userKey: string]

/** One entry of a list. */
export interface Entry extends Cut {
  user: Listed
  documentId: string
  position: Position
}

interface Query {
  filters: UserFilters
  listing: Listing
  /** Undefined: from the beginning. */
  after: Position | undefined
  limit: number
  maxBytes: number
}

/** Lists the entries after a position, in a stable order. */
export function listUsers(db: Db, tenant: ApiKeyTenant, { listing, ...query }: Query): Promise<Entry[]> {
  return listing === 'anyDocument'
    ? listDistinct(db, tenant, query)
    : listGrants(db, tenant, { ...query, level: listing })
}

/** How many users a level lists. */
export async function countUsersAt(db: Db, { apiKey }: ApiKeyTenant, level: Level): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count
    from access_grant g
    where g.api_key = ${apiKey}
      and g.organization_key = ${level.organizationKey}
      and g.resource_type = ${level.resourceType}
      and g.resource_key = ${level.resourceKey}
      and ${isLive}`)
  return row?.count ?? 0
}

interface GrantRow extends UserRow, Cut {
  role: Role
  access_fields: string[] | null
  document_id: string
  resource_key: string
  seq: number
}

async function listGrants(
  db: Db,
  { apiKey }: ApiKeyTenant,
  { filters, level, after, limit, maxBytes }: Omit<Query, 'listing'> & { level: Level | 'everyDocument' },
): Promise<Entry[]> {
  const every = level === 'everyDocument'
  const grants = sql`
    select ${userColumns}, u.size, coalesce(g.role, 'editor') as role, g.access_fields, g.resource_key, g.seq,
      ${every ? sql`d.id` : sql`''`} as document_id
    from access_grant g
    join app_user u on u.api_key = g.api_key and u.key = g.user_key
    ${every ? sql`join document d on (d.api_key, d.organization_key, d.key) = (g.api_key, g.organization_key, g.resource_key)` : empty}
    where g.api_key = ${apiKey}
      and g.resource_type = ${every ? 'document' : level.resourceType}
      ${every ? empty : sql`and g.resource_key = ${level.resourceKey}`}
      and ${admitted(apiKey, filters)}
      ${after ? sql`and (g.resource_key, g.seq) > (${after[0]}::uuid, ${after[1] ?? 0}::bigint)` : empty}
    order by g.resource_key, g.seq
    limit ${limit}`
  const rows = await db.query<GrantRow>(withinBytes(grants, sql`resource_key, seq`, maxBytes))
  return rows.map((row) => ({
    user: withFields(listed(row), {
      accessRole: row.role,
      ...(row.access_fields && { accessFields: row.access_fields }),
    }),
    documentId: row.document_id,
    position: [row.resource_key, row.seq],
    fetched: row.fetched,
  }))
}

async function listDistinct(
  db: Db,
  { apiKey }: ApiKeyTenant,
  { filters, after, limit, maxBytes }: Omit<Query, 'listing'>,
): Promise<Entry[]> {
  const users = sql`
    with page as (
      select distinct g.user_key
      from access_grant g
      where g.api_key = ${apiKey}
        and g.resource_type = 'document'
        and ${admitted(apiKey, filters)}
        ${after ? sql`and g.user_key > ${after[0]}::uuid` : empty}
      order by 1
      limit ${limit}
    )
    select ${userColumns}, u.key, u.size
    from page p
    join app_user u on u.api_key = ${apiKey} and u.key = p.user_key
    order by u.key`
  const rows = await db.query<UserRow & Cut & { key: string }>(withinBytes(users, sql`key`, maxBytes))
  return rows.map((row) => ({ user: listed(row), documentId: '', position: [row.key], fetched: row.fetched }))
}

const listed = (row: UserRow): Listed => {
  const { contacts } = row.profile
  return { ...toUser(row), ...(contacts && { contacts }) }
}

function admitted(apiKey: string, { organizationKey, userKeys, groupKeys, searchKey }: UserFilters): Sql {
  const inGroups = groupKeys
    ? sql`
      and exists (
        select from user_group_member m
        where m.api_key = ${apiKey}
          and m.organization_key = ${organizationKey}
          and m.group_key = any(${groupKeys}::uuid[])
          and m.user_key = g.user_key
      )`
    : empty
  return sql`
    g.organization_key = ${organizationKey}
      and ${isLive}
      ${userKeys ? sql`and g.user_key = any(${userKeys}::uuid[])` : empty}
      ${searchKey === undefined ? empty : isFoundBy(apiKey, searchKey)}
      ${inGroups}`
}

const isFoundBy = (apiKey: string, searchKey: string): Sql => sql`
  and exists (
    select from app_user s
    where s.api_key = ${apiKey}
      and s.key = g.user_key
      and ${holdsText([sql`coalesce(s.name, s.id)`, sql`s.email`, sql`s.id`], searchKey)}
  )`
