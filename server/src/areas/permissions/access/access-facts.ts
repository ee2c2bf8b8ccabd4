import type { ApiKeyScope } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import type { AccessType } from '../../folders/access-type.ts'
import type { ResourceType, Role } from './grant.ts'
import { isRemoved } from './removed-user.ts'

/** A user and a resource of the organization. */
export interface Subject {
  userKey: string
  type: ResourceType
  key: string
}

/** What is known for one check. */
export interface Fact {
  ord: number
  known: boolean
  user_known: boolean
  removed: boolean
  disabled: boolean
  access_type: AccessType | null
  grant_type: ResourceType | null
  grant_id: string | null
  role: Role
  expires_at: number | null
  live: boolean
}

/**
 * Reads the facts of each check, by their positions from 1, in one statement. Of the user's grants on the document, the
 * folders above it and the organization, the nearest valid one counts. An expired one counts only if none is valid.
 * Each array is in a select of its own, so that the planner does not see its length. Otherwise it would plan again at
 * every call, which takes four times as long as the query.
 */
export async function readFacts(
  db: Db,
  { apiKey }: ApiKeyScope,
  organizationKey: string,
  checks: Subject[],
): Promise<Map<number, Fact>> {
  const facts = await db.query<Fact>(sql`
    with asked as materialized (
      select *
      from unnest(
        (select ${checks.map((check) => check.userKey)}::uuid[]),
        (select ${checks.map((check) => check.type)}::text[]),
        (select ${checks.map((check) => check.key)}::uuid[])
      ) with ordinality as a (user_key, type, key, ord)
    ),
    resource as materialized (
      select r.type, r.key, o.id as organization_id, d.id as document_id,
        case r.type when 'organization' then r.key = o.key when 'folder' then f.key is not null
          else d.key is not null end as known,
        o.disabled or coalesce(d.disabled, false) as disabled,
        case when f.key is null then '{}' else f.path || f.key end as folders,
        case when r.type <> 'organization' then coalesce(
          d.access_type,
          ${ownerOfAccessType(apiKey, organizationKey)},
          'public') end as access_type
      from (select distinct type, key from asked) r
      join organization o on o.api_key = ${apiKey} and o.key = ${organizationKey}
      left join lateral (
        select d.key, d.id, d.folder_key, d.access_type, d.disabled
        from document d
        where d.api_key = ${apiKey} and d.organization_key = ${organizationKey} and d.key = r.key
          and r.type = 'document'
        limit 1
      ) d on true
      left join lateral (
        select f.key, f.path
        from folder f
        where f.api_key = ${apiKey} and f.organization_key = ${organizationKey}
          and f.key = case r.type when 'folder' then r.key else d.folder_key end
        limit 1
      ) f on true
    )
    select a.ord, r.known, r.disabled, r.access_type, g.resource_type as grant_type, g.expires_at,
      coalesce(g.live, false) as live, coalesce(g.role, 'editor') as role,
      case g.resource_type when 'organization' then r.organization_id when 'document' then r.document_id else (
        select id from folder
        where api_key = ${apiKey} and organization_key = ${organizationKey} and key = g.resource_key
      ) end as grant_id,
      exists (select from app_user u where u.api_key = ${apiKey} and u.key = a.user_key) as user_known,
      ${isRemoved(apiKey, sql`${organizationKey}::uuid`, sql`a.user_key`)} as removed
    from asked a
    join resource r using (type, key)
    left join lateral (${nearestGrant(apiKey, organizationKey)}) g on r.known`)
  return new Map(facts.map((fact) => [fact.ord, fact]))
}

// The limit of one row keeps the planner from reading a whole organization where a table has no statistics yet.
const ownerOfAccessType = (apiKey: string, organizationKey: string) => sql`
  (select s.access_type
   from (select * from unnest(f.path || f.key) with ordinality as p (key, level) order by level desc) p
   cross join lateral (
     select access_type, inherit_access
     from folder
     where api_key = ${apiKey} and organization_key = ${organizationKey} and key = p.key
     limit 1
   ) s
   where not s.inherit_access
   limit 1)`

// Each key is looked up by itself: the planner may else read all grants of the user, and compare them.
const nearestGrant = (apiKey: string, organizationKey: string) => sql`
  select *
  from (
    select resource_type, resource_key, role, expires_at,
      expires_at is null or expires_at > (select now_ms()) as live,
      case resource_type
        when 'organization' then case when resource_key = ${organizationKey} then 0 end
        when 'folder' then array_position(r.folders, resource_key)
        else case when a.type = 'document' and resource_key = a.key then 1000 end
      end as level
    from unnest(r.folders || array[a.key, ${organizationKey}::uuid]) as above (key)
    cross join lateral (
      select resource_type, resource_key, role, expires_at
      from access_grant
      where api_key = ${apiKey} and user_key = a.user_key and organization_key = ${organizationKey}
        and resource_key = above.key
      offset 0
    ) g
  ) c
  where level is not null
  order by live desc, level desc
  limit 1`
