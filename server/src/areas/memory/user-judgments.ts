import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, empty, type Sql, sql } from '../../platform/db/db.ts'
import { takeChanges } from './change-log.ts'
import { forgetContentVectors } from './judgment-vector.ts'
import { deleteJudgmentsWhere } from './record-judgments.ts'

interface Whose {
  userKeys: string[]
  /** Omitted: in every organization of the API key, and outside of them. */
  organizationKeys?: string[]
}

/**
 * Forgets users, at most `limit` of their judgments at a time: those that they made are deleted, and what they wrote is
 * removed from those that others made on it. True while there may be more.
 */
export async function forgetJudgmentsOfUsers(
  db: Db,
  tenant: ApiKeyTenant,
  whose: Whose,
  limit: number,
): Promise<boolean> {
  const { userKeys } = whose
  const made = await deleteJudgmentsWhere(
    db,
    tenant,
    sql`j.key in (${some(tenant, whose, sql`reviewer_key = any(${userKeys}::uuid[])`, limit)})`,
  )
  const rest = limit - made.size
  if (rest === 0) return true
  const before = await takeChanges(db, tenant, rest)
  const emptied = await db.query<{ key: string }>(sql`
    update judgment j
    set content = '', content_user_id = null, content_user_key = null, change = ${before - rest}::bigint + n.number
    from (
      select key, row_number() over (order by key) as number
      from (${some(tenant, whose, sql`content_user_key = any(${userKeys}::uuid[])`, rest)}) s
    ) n
    where j.api_key = ${tenant.apiKey} and j.key = n.key
    returning j.key`)
  await forgetContentVectors(
    db,
    tenant,
    emptied.map(({ key }) => key),
  )
  return emptied.length === rest
}

const some = (tenant: ApiKeyTenant, { organizationKeys }: Whose, condition: Sql, limit: number): Sql => sql`
  select key
  from judgment
  where api_key = ${tenant.apiKey} and ${condition}
    ${organizationKeys === undefined ? empty : sql`and organization_key = any(${organizationKeys}::uuid[])`}
  limit ${limit}`
