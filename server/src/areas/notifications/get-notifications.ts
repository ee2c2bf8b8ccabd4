import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, oneOf, Type } from '../../platform/schema.ts'
import { Notification, toNotification } from './notification.ts'
import { conditionOf, notificationFilter, notificationIds } from './notification-filter.ts'
import { type Position, positionOf, readNotifications } from './read-notifications.ts'

const PATH = '/v2/notifications/get'

/** Notifications by time, their messages rendered; what is unknown is left out. */
export const getNotifications = operation({
  path: PATH,
  twin: '/v1/notifications/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get notifications',
  description: 'With `userId` the notifications delivered to that user, with whether they were read.',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    ...notificationFilter,
    notificationIds,
    order: Type.Optional(oneOf(['asc', 'desc'], 'By time. Default: desc.')),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: 1000.' })),
    pageToken: Type.Optional(Type.String({ description: 'From the page before.' })),
  }),
  output: Type.Array(Notification),
  errors: [],
  message: 'Notification(s) retrieved successfully.',
  page: 'pageToken',
}).run(async ({ db, tenant, input, pageTokens }) => {
  const { pageSize = 1000, pageToken, ...filters } = input
  const { organizationId, userId, order = 'desc' } = filters
  const scope = { operation: PATH, tenant: tenant.apiKey, filters: { ...filters, order } }
  const rows = await readNotifications(db, tenant, {
    organizationKey: keyOf(organizationId),
    userKey: userId === undefined ? undefined : keyOf(userId),
    condition: conditionOf(filters),
    after: pageToken === undefined ? undefined : (pageTokens.open(scope, pageToken) as Position),
    order,
    limit: pageSize + 1,
  })
  const page = rows.slice(0, pageSize)
  const last = rows.length > pageSize ? page.at(-1) : undefined
  return {
    data: page.map((row) => toNotification(tenant, organizationId, row)),
    next: last ? pageTokens.seal(scope, positionOf(last)) : null,
  }
})
