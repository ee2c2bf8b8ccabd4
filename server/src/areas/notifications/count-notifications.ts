import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { shownCopies } from './inbox.ts'
import { conditionOf, notificationFilter } from './notification-filter.ts'

/** A badge shows no more, and the cost of a call stays bounded. */
const LIMIT = 1000

/** Counts what a user has not read: what `notifications/get` lists with `unreadOnly`. */
export const countNotifications = operation({
  path: '/v2/notifications/count/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Count unread notifications',
  description:
    `Counts what \`notifications/get\` lists with \`unreadOnly\`, and stops at ${LIMIT}. It asks no permission ` +
    'provider.',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    ...notificationFilter,
    userId: identifier('Whose notifications.'),
  }),
  example: { organizationId: 'example', userId: 'iris' },
  output: Type.Object({
    unread: Type.Integer({ description: `${LIMIT}: so many, or more.` }),
    forYou: Type.Integer({ description: 'Of these, how many are addressed to the user.' }),
  }),
  errors: [],
  message: 'Notification count fetched successfully.',
}).run(async ({ db, tenant, input, clock }) => {
  const { organizationId, userId } = input
  const inbox = { organizationId, userId, now: clock.now(), unreadOnly: true }
  const [counted] = await db.query<{ unread: number; forYou: number }>(sql`
    select count(*) as unread, count(*) filter (where for_you) as "forYou"
    from (
      select r.for_you
      ${shownCopies(tenant.apiKey, organizationKeyOf(tenant, organizationId), inbox)} and ${conditionOf(input)}
      limit ${LIMIT}
    ) unread`)
  return counted ?? { unread: 0, forYou: 0 }
})
