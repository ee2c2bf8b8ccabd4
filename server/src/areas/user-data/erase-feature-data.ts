import { sql } from '../../platform/db/db.ts'
import { eraseUsers } from '../activities/log/erase-users.ts'
import { ERASED_NAME } from '../activities/log/redact.ts'
import { forgetJudgmentsOfUsers, forgetMentions } from '../memory/user-judgments.ts'
import { eraseNamed } from './erase-named.ts'
import { BATCH, type EraseBatch, within } from './erasure.ts'

/** Erases the users' reactions. */
export const eraseReactions: EraseBatch = async ({ db, tenant }, scope) => {
  const gone = await db.query(sql`
    delete from reaction
    where api_key = ${tenant.apiKey} and (organization_key, key) in (
      select organization_key, key
      from reaction
      where api_key = ${tenant.apiKey} and from_key = any(${scope.userKeys}::uuid[])
        ${within(sql`organization_key`, scope)}
      order by organization_key, key
      limit ${BATCH}
      for update)
    returning 1 as gone`)
  return gone.length > 0
}

/** Erases the users' recordings, and then what recordings of others say of them. */
export const eraseRecordings: EraseBatch = async (context, scope, after) => {
  if (after !== '') return eraseNamed('recording', context, scope, after)
  const { db, tenant } = context
  const gone = await db.query(sql`
    delete from recording
    where api_key = ${tenant.apiKey} and (organization_key, key) in (
      select organization_key, key
      from recording
      where api_key = ${tenant.apiKey} and user_key = any(${scope.userKeys}::uuid[])
        ${within(sql`organization_key`, scope)}
      order by organization_key, key
      limit ${BATCH}
      for update)
    returning 1 as gone`)
  return gone.length > 0 || eraseNamed('recording', context, scope)
}

/** Replaces the users in activity logs by pseudonyms; the logs stay verifiable. */
export const eraseActivities: EraseBatch = ({ db, tenant, secrets }, { userKeys, organizationKeys }) =>
  eraseUsers({ db, tenant, secrets }, { userKeys, ...(organizationKeys && { organizationKeys }) })

/** Erases the users' judgments and what they wrote in those of others, and then mentions of them. */
export const eraseJudgments: EraseBatch = async ({ db, tenant }, { userIds, userKeys, organizationKeys }, after) => {
  const where = organizationKeys ? { organizationKeys } : {}
  if (after === '' && (await forgetJudgmentsOfUsers(db, tenant, { userKeys, ...where }, BATCH))) return true
  return forgetMentions(db, tenant, { userIds, mark: `@${ERASED_NAME}`, ...where }, after)
}
