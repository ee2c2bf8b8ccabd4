import { together } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { pageOf } from '../../platform/page.ts'
import { identifier, oneOf, Type } from '../../platform/schema.ts'
import { mapInTurns } from '../../platform/turns/yield.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import {
  type DecisionContext,
  decideByGrants,
  decideByProvider,
  type Provider,
  readProvider,
  viewsOf,
} from '../permissions/provider/decide-for-users.ts'
import { Notification, type NotificationRow, toNotification } from './notification.ts'
import { conditionOf, notificationFilter, notificationIds } from './notification-filter.ts'
import { type Position, positionOf, readNotifications } from './read-notifications.ts'

const PATH = '/v2/notifications/get'

/** Returns notifications with their messages rendered. Unknown ids are omitted. */
export const getNotifications = operation({
  path: PATH,
  twin: '/v1/notifications/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get notifications',
  description:
    'With `userId` the notifications delivered to that user, with whether they were read; also those of documents that ' +
    'the user has lost access to since, unless `verifyUserPermissions` is true or a permission provider is on. What the notification config delays or ' +
    'gathers is among them once it is due, after all that appeared before: `timestamp` is the time of its event. ' +
    'Without `userId` all are listed at once.',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    ...notificationFilter,
    notificationIds,
    verifyUserPermissions: Type.Optional(
      Type.Boolean({
        description:
          'True: only of documents that the user has access to by stored grants; requires `userId`. Pages may be short.',
      }),
    ),
    unreadOnly: Type.Optional(
      Type.Boolean({ description: 'True: only what the user has not read; requires `userId`.' }),
    ),
    order: Type.Optional(
      oneOf(['asc', 'desc'], 'By time; with `userId` by when each appeared to the user. Default: desc.'),
    ),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: 1000.' })),
    pageToken: Type.Optional(Type.String({ description: 'From the page before.' })),
  }),
  example: { organizationId: 'example', userId: 'iris', unreadOnly: true },
  output: Type.Array(Notification),
  errors: [],
  message: 'Notification(s) retrieved successfully.',
  page: 'pageToken',
  check: (input) =>
    (['verifyUserPermissions', 'unreadOnly'] as const).flatMap((option) =>
      input[option] && input.userId === undefined
        ? [{ path: 'userId', message: `is required when ${option} is true` }]
        : [],
    ),
}).run(async (context) => {
  const { db, tenant, input, pageTokens, clock, config } = context
  const { pageSize = 1000, pageToken, ...filters } = input
  const { organizationId, userId, unreadOnly, order = 'desc' } = filters
  const scope = { operation: PATH, tenant: tenant.apiKey, filters: { ...filters, order } }
  const selection = {
    organizationKey: organizationKeyOf(tenant, organizationId),
    inbox: userId === undefined ? undefined : { organizationId, userId, now: clock.now(), unreadOnly },
    condition: conditionOf(filters),
    after: pageToken === undefined ? undefined : (pageTokens.open(scope, pageToken) as Position),
    order,
    limit: pageSize + 1,
    maxBytes: config.pageLimitBytes,
  }
  const [rows, provider] = await together([
    readNotifications(db, tenant, selection),
    userId === undefined ? Promise.resolve(undefined) : readProvider(context),
  ])
  const { page: unordered, last } = pageOf(rows, pageSize)
  // What appeared at once, as a batch does, is listed in the order of its events.
  const sign = order === 'asc' ? 1 : -1
  const page = unordered.toSorted((a, b) => sign * (a.at - b.at || a.timestamp - b.timestamp))
  const shown = userId === undefined ? page : await shownTo(context, { ...input, userId, provider }, page)
  return {
    // A template may be filled with much text.
    data: await mapInTurns(shown, (row) => toNotification(tenant, organizationId, row)),
    next: last ? pageTokens.seal(scope, positionOf(last)) : null,
  }
})

/**
 * The notifications of documents that the user may view: by stored grants if the call verifies them, and by the
 * permission provider if it is on.
 */
async function shownTo(
  context: DecisionContext,
  { organizationId, userId, verifyUserPermissions = false, provider }: Shown,
  rows: NotificationRow[],
): Promise<NotificationRow[]> {
  if (!verifyUserPermissions && !provider) return rows
  const documentIds = [...new Set(rows.map(({ documentId }) => documentId))]
  const checks = viewsOf(userId, documentIds)
  const stored = await decideByGrants(context, organizationId, checks)
  const provided = provider && (await decideByProvider(context, provider, { organizationId, checks, stored }))
  const deciding = [verifyUserPermissions ? stored : undefined, provided]
  const denied = new Set(
    documentIds.filter((_, index) => deciding.some((decisions) => decisions?.[index]?.allowed === false)),
  )
  return rows.filter(({ documentId }) => !denied.has(documentId))
}

interface Shown {
  organizationId: string
  userId: string
  verifyUserPermissions?: boolean
  /** The permission provider, if one decides. */
  provider: Provider | undefined
}
