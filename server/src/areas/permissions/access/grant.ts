import type { ApiKeyTenant } from '../../../platform/context.ts'
import { json, type Sql, sql, type Transaction } from '../../../platform/db/db.ts'
import { sendInTurn } from '../../../platform/db/list-lock.ts'
import { oneOf, Type } from '../../../platform/schema.ts'

export type ResourceType = 'organization' | 'folder' | 'document'
export type Role = 'viewer' | 'editor'

const ROLES = '`viewer` reads (and comments), `editor` reads and writes.'

/** The roles that can be granted. */
export const accessRole = oneOf(['viewer', 'editor'], ROLES)

/** The role to grant, with what holds without it. */
export const grantedRole = (otherwise: string) => Type.Optional(oneOf(['viewer', 'editor'], `${ROLES} ${otherwise}`))

// A value below 10^11 would be before 1974 in milliseconds, so it means seconds.
const SECONDS_BELOW = 100_000_000_000

/** When a grant expires, as callers send it. */
export const expiresAt = Type.Integer({
  minimum: 1,
  maximum: 8_640_000_000_000_000,
  description: 'When the access ends, in epoch milliseconds; a value below 10^11 is in seconds. Omitted: never.',
})

/** The time that a caller's `expiresAt` means, in milliseconds; null means never. */
export function expiryOf(value: number | undefined): number | null {
  if (value === undefined) return null
  return value < SECONDS_BELOW ? value * 1000 : value
}

/** One user's access to one resource; an organization's `resourceKey` is its own key. */
export interface Grant {
  organizationKey: string
  resourceType: ResourceType
  resourceKey: string
  userKey: string
  /** Null: not given. A grant that exists keeps its role; a new one gets `editor`. */
  role: Role | null
  /** Null: it never expires. */
  expiresAt: number | null
  /** Null: not given. A grant that exists keeps its fields. */
  accessFields: string[] | null
}

/**
 * The name of the list of grants in an organization. Its lock also keeps a removal and an addition of one user apart.
 */
export const grantsOf = ({ apiKey }: ApiKeyTenant, organizationKey: string): string =>
  `access_grant ${apiKey} ${organizationKey}`

/**
 * Sends a statement that writes distinct grants. A user who becomes a member is no longer a removed user. A grant that
 * expires does not replace one that does not. The users must exist, and the transaction must hold the organization,
 * folder or document.
 */
export function writeGrants(db: Transaction, tenant: ApiKeyTenant, grants: Grant[]): void {
  if (grants.length === 0) return
  const organizations = new Set(grants.map(({ organizationKey }) => organizationKey))
  const lists = [...organizations].map((key) => grantsOf(tenant, key))
  // Positions are taken in the order of the request; rows are locked in the order of keys.
  const statement = sql`
    with sent as materialized (
      select *
      from unnest(
        ${grants.map((grant) => grant.organizationKey)}::uuid[],
        ${grants.map((grant) => grant.resourceType)}::text[],
        ${grants.map((grant) => grant.resourceKey)}::uuid[],
        ${grants.map((grant) => grant.userKey)}::uuid[],
        ${grants.map((grant) => grant.role)}::text[],
        ${grants.map((grant) => grant.expiresAt)}::bigint[],
        ${grants.map((grant) => grant.accessFields && json(grant.accessFields))}::jsonb[]
      ) with ordinality as u (
        organization_key, resource_type, resource_key, user_key, role, expires_at, access_fields, position)
    ), restored as (
      delete from removed_user
      where api_key = ${tenant.apiKey}
        and (user_key, organization_key) in (
          select user_key, organization_key
          from sent
          where resource_type = 'organization' and (expires_at is null or expires_at > now_ms())
        )
    )
    insert into access_grant (api_key, organization_key, resource_type, resource_key, user_key, role, expires_at,
      access_fields, seq)
    overriding system value
    select ${tenant.apiKey}, g.*
    from (
      select organization_key, resource_type, resource_key, user_key, role, expires_at, access_fields,
        nextval('access_grant_seq_seq')
      from sent
      order by position
    ) g
    order by 2, 3, 4, 5
    on conflict (api_key, organization_key, resource_type, resource_key, user_key) do update
    set role = case when ${keepsGrant} then access_grant.role else coalesce(excluded.role, access_grant.role) end,
      expires_at = case when ${keepsGrant} then null else excluded.expires_at end,
      access_fields = coalesce(excluded.access_fields, access_grant.access_fields)
    where access_grant.expires_at is not null or excluded.access_fields is not null
      or (excluded.expires_at is null and excluded.role is distinct from access_grant.role)`
  sendInTurn(db, lists, statement)
}

/** SQL: access that ends does not replace access for good. */
const keepsGrant = sql`access_grant.expires_at is null and excluded.expires_at is not null`

/** SQL condition on `access_grant as g`: the grant has not expired, by the database's clock. */
export const isLive = sql`(g.expires_at is null or g.expires_at > now_ms())`

/** SQL condition: the user is in the organization, by a grant of it that has not expired. */
export const isMember = (apiKey: string, organizationKey: string, userKey: Sql): Sql => sql`
  exists (
    select
    from access_grant g
    where g.api_key = ${apiKey} and g.organization_key = ${organizationKey}
      and g.resource_type = 'organization' and g.resource_key = ${organizationKey}
      and g.user_key = ${userKey} and ${isLive})`

/** SQL condition: the user is in the organization that has this id. */
export const isMemberOf = (apiKey: string, organizationId: Sql, userKey: Sql): Sql => sql`
  exists (
    select
    from access_grant g
    join organization o on o.api_key = ${apiKey} and o.key = g.organization_key
    where g.api_key = ${apiKey} and g.user_key = ${userKey}
      and g.resource_type = 'organization' and g.resource_key = g.organization_key
      and o.id = ${organizationId} and o.retired_at is null and ${isLive})`

/**
 * SQL condition on `access_grant g`: it is on the document `d`, on its folder `f` or one above that, or on their
 * organization. A document, a folder and an organization of one id have the same key, so the type counts too.
 */
const reachesDocument = sql`
  case g.resource_type
    when 'document' then g.resource_key = d.key
    when 'folder' then g.resource_key = any(f.path || f.key)
    else g.resource_key = d.organization_key
  end`

/**
 * SQL, what follows `select`: the live grants `g` by which a user reaches a document, those on folders above it and on
 * the organization among them. Ends in a condition, so that another may follow. Each key is looked up by itself: the
 * planner may else read all grants of the user, and compare them.
 */
export const fromGrantsOfDocument = (apiKey: string, organizationKey: Sql, userKey: Sql, documentKey: Sql): Sql => sql`
  from document d
  left join folder f
    on f.api_key = d.api_key and f.organization_key = d.organization_key and f.key = d.folder_key
  cross join lateral unnest(array[d.key, d.organization_key] || f.path || f.key) as above (key)
  cross join lateral (
    select *
    from access_grant s
    where s.api_key = d.api_key and s.user_key = ${userKey} and s.organization_key = d.organization_key
      and s.resource_key = above.key
    offset 0
  ) g
  where d.api_key = ${apiKey} and d.organization_key = ${organizationKey} and d.key = ${documentKey} and ${isLive}
    and ${reachesDocument}`
