import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { genesisOf } from './chain.ts'
import type { Organization } from './entry.ts'

/** The end of a log, and the hash that its first entry continues. */
export interface Head {
  organizationId: string
  count: number
  hash: string
  genesis: string
}

/** Reads the current head of a log. */
export async function readHead(db: Db, tenant: ApiKeyTenant, { key, id }: Organization): Promise<Head> {
  const genesis = genesisOf(tenant.apiKey, id)
  const [log] = await db.query<{ count: number; hash: string }>(sql`
    select count, encode(head, 'hex') as hash
    from activity_log
    where api_key = ${tenant.apiKey} and organization_key = ${key}`)
  return { organizationId: id, count: log?.count ?? 0, hash: log?.hash ?? genesis, genesis }
}
