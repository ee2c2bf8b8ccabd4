import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, type Sql, sql } from '../../platform/db/db.ts'
import { besides } from '../../platform/db/narrowing.ts'
import type { ResourceType } from './access/grant.ts'

/** A grant that was deleted. */
export interface EndedGrant {
  organizationKey: string
  resourceType: ResourceType
  userKey: string
}

/**
 * SQL condition on `access_grant g`: it is the row `d`, found by the primary key. The planner may else read all grants
 * on a document for each of them.
 */
export const IS_DOOMED = sql`g.user_key = d.user_key and g.organization_key = d.organization_key
  and g.resource_key = d.resource_key and ${besides(sql`g.resource_type = d.resource_type`)}`

/**
 * Deletes the grants that meet a condition on `access_grant as g`, and records that their users held one: an export of
 * their data tells who they are. It locks grants in the order of their keys, and before them their organization, as its
 * deletion does.
 */
export const endGrants = (db: Db, { apiKey }: ApiKeyTenant, condition: Sql): Promise<EndedGrant[]> =>
  db.query<EndedGrant>(sql`
    with doomed as (
      select g.organization_key, g.resource_type, g.resource_key, g.user_key
      from access_grant g
      join organization o on o.api_key = g.api_key and o.key = g.organization_key
      where g.api_key = ${apiKey} and ${condition}
      order by 1, 2, 3, 4
      -- In this order for each row.
      for key share of o
      for update of g
    ), ended as (
      delete from access_grant g
      using doomed d
      where g.api_key = ${apiKey} and ${IS_DOOMED}
      returning g.organization_key, g.resource_type, g.user_key
    ), held as (
      insert into former_access (api_key, organization_key, user_key)
      select distinct ${apiKey}, organization_key, user_key
      from ended
      order by 3, 2
      on conflict do nothing
    )
    select organization_key as "organizationKey", resource_type as "resourceType", user_key as "userKey" from ended`)
