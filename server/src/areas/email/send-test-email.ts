import { json, sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { keyOf, randomId } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { requireOrganization } from '../organizations/organization.ts'
import { toUser, type UserRow, userColumns } from '../users/user.ts'

/**
 * Queues an email with made-up content to a stored user, by the provider of the config. Its outcome stands in the log
 * of emails. Only the address of a user is written to, so that nobody can have mail sent to strangers.
 */
export const sendTestEmail = operation({
  path: '/v2/workspace/emails/test',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: 'Send a test email',
  description: '`emails/list` shows what became of it. It tells of no activity there.',
  input: Type.Object({
    organizationId: identifier('The organization whose email it is.'),
    userId: identifier('The user who gets it, at the stored address.'),
  }),
  example: { organizationId: 'example', userId: 'iris' },
  output: Type.Object({ emailId: Type.String() }),
  errors: ['NOT_FOUND', 'FAILED_PRECONDITION'],
  message: 'Test email queued successfully.',
  queues: true,
}).run(async ({ db, tenant, clock, input: { organizationId, userId } }) => {
  const { key } = await requireOrganization(db, tenant, organizationId)
  const rows = await db.query<UserRow>(sql`
    select ${userColumns}
    from app_user u
    where u.api_key = ${tenant.apiKey} and u.key = ${keyOf(userId)}`)
  const [user] = rows.map(toUser)
  if (!user) throw new ApiError('NOT_FOUND', `There is no user ${userId}.`)
  if (!user.email)
    throw new ApiError('FAILED_PRECONDITION', `The user ${userId} has no address. Set it by users/update.`)
  const emailId = randomId('eml_')
  await db.query(sql`
    insert into email (api_key, status, due_at, id, organization_key, user_key, person, activities)
    values (${tenant.apiKey}, 'waiting', ${clock.now()}::bigint, ${emailId}, ${key}, ${keyOf(userId)}, ${json(user)}, 0)`)
  return { emailId }
})
