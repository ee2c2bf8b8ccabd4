import type { Database } from '../../src/platform/db/db.ts'
import { keyOf } from '../../src/platform/id.ts'

/** As requests and jobs come to plan a statement. */
export const GENERIC = { plan_cache_mode: 'force_generic_plan' }

/**
 * Fills a database with grants: 20,000 on documents of the organization acme in `key-0`, and few in other keys. By the
 * statistics a document has one grant, so that the index by document seems as good as the primary key.
 */
export const fillGrants = (database: Database): Promise<void> =>
  database.script(`
    insert into workspace (id, name, owner_id, owner_email, owner_name, token_hash, token_sealed)
      values ('w', 'w', 'w', 'w@example.com', 'w', '', '');
    create temporary table many as
      select 'key-' || k as api_key, '${keyOf('acme')}'::uuid as organization_key, md5(i::text)::uuid as key
      from generate_series(0, 10) as k
      cross join generate_series(1, case when k = 0 then 20000 else 100 end) as i;
    insert into api_key (id, workspace_id, owner_email, name, type)
      select distinct api_key, 'w', 'w@example.com', 'key', 'testing' from many;
    insert into organization (api_key, key, id) select distinct api_key, organization_key, 'acme' from many;
    insert into app_user (api_key, key, id) select api_key, key, key::text from many;
    insert into access_grant (api_key, organization_key, resource_type, resource_key, user_key)
      select api_key, organization_key, 'document', key, key from many;
    analyze`)

/** How many grants `fillGrantsOfOne` gives. */
export const GRANTS_OF_ONE = 2000

/** Adds to the grants of `fillGrants` those of iris, who was given each of many documents of acme. */
export const fillGrantsOfOne = (database: Database): Promise<void> =>
  database.script(`
    insert into app_user (api_key, key, id) values ('key-0', '${keyOf('iris')}', 'iris');
    insert into document (api_key, organization_key, key, id)
      select 'key-0', '${keyOf('acme')}', md5(i::text)::uuid, i from generate_series(1, ${GRANTS_OF_ONE}) as i;
    insert into access_grant (api_key, organization_key, resource_type, resource_key, user_key)
      select api_key, organization_key, 'document', key, '${keyOf('iris')}' from document;
    analyze`)
