import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { conditionOf, notificationFilter } from './notification-filter.ts'
import { countUnread } from './read-notifications.ts'

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
}).run(({ db, tenant, input, clock }) =>
  countUnread(db, tenant, {
    organizationKey: organizationKeyOf(tenant, input.organizationId),
    inbox: { organizationId: input.organizationId, userId: input.userId, now: clock.now() },
    condition: conditionOf(input),
    limit: LIMIT,
  }),
)
