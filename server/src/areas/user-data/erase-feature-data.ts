import { eraseUsers } from '../activities/log/erase-users.ts'
import { ERASED_NAME } from '../activities/log/redact.ts'
import { forgetJudgmentsOfUsers, forgetMentions } from '../memory/user-judgments.ts'
import { eraseNamed } from './erase-named.ts'
import { BATCH, type EraseBatch, eraseRows } from './erasure.ts'

/** Erases the users' reactions. */
export const eraseReactions: EraseBatch = (context, scope) =>
  eraseRows(context, scope, { table: 'reaction', user: 'from_key' })

/** Erases the users' recordings, and then what recordings of others say of them. */
export const eraseRecordings: EraseBatch = async (context, scope, after) => {
  if (after !== '') return eraseNamed('recording', context, scope, after)
  if (await eraseRows(context, scope, { table: 'recording', user: 'user_key' })) return true
  return eraseNamed('recording', context, scope)
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
