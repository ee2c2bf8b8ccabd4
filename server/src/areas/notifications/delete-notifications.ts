import { resultsOf } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { ensureStatistics } from '../../platform/db/statistics.ts'
import { ApiError, oneGivenIssues } from '../../platform/errors.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, type Static, Type } from '../../platform/schema.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { deleteCopies, findCopies } from './delete-copies.ts'
import { conditionOf, notificationFilter, notificationIds } from './notification-filter.ts'

const MAX_DELETED = 10_000
const FILTERS = ['documentId', 'locationId', 'userId', 'notificationIds'] as const

const Input = Type.Object({
  organizationId: identifier('Id of the organization.'),
  ...notificationFilter,
  notificationIds,
})
type Input = Static<typeof Input>

/**
 * Deletes the notifications that match every filter; with `userId`, only that user's copies of them. A notification
 * goes with its last copy.
 */
export const deleteNotifications = operation({
  path: '/v2/notifications/delete',
  twin: '/v1/notifications/delete',
  auth: 'apiKey',
  access: 'write',
  summary: 'Delete notifications',
  description: 'At least one filter besides `organizationId`; at most 10,000 notifications per call.',
  input: Input,
  example: { organizationId: 'example', notificationIds: ['launch'] },
  output: mapOf(itemResult(), 'One result per notification id: those deleted, and those of `notificationIds`.'),
  errors: ['FAILED_PRECONDITION'],
  message: 'Notification(s) deleted successfully.',
  check: (input) => oneGivenIssues(input, FILTERS),
}).run(async ({ db, tenant, input, clock }) => {
  const { organizationId, userId } = input
  const organizationKey = organizationKeyOf(tenant, organizationId)
  const rows =
    userId === undefined
      ? await lockNotifications(db, tenant, organizationKey, input)
      : await findCopies(
          db,
          tenant,
          { organizationKey, userKey: keyOf(userId), now: clock.now() },
          { filter: input, limit: MAX_DELETED + 1 },
        )
  if (rows.length > MAX_DELETED) {
    throw new ApiError(
      'FAILED_PRECONDITION',
      `The filters match more than ${MAX_DELETED} notifications; narrow them. Nothing was deleted.`,
    )
  }
  const keys = rows.map(({ key }) => key)
  await ensureStatistics(db)
  const gone =
    userId === undefined
      ? await deleteAll(db, tenant, organizationKey, keys)
      : await deleteCopies(db, tenant, { organizationKey, userKey: keyOf(userId) }, keys)
  const deleted = new Set(rows.filter(({ key }) => gone.has(key)).map(({ id }) => id))
  return resultsOf(new Set([...(input.notificationIds ?? []), ...deleted]), (id) =>
    deleted.has(id)
      ? { success: true, message: 'Notification deleted.' }
      : { success: false, message: 'Failed to delete notification.' },
  )
})

interface Row {
  key: string
  id: string
}

const lockNotifications = (db: Db, tenant: ApiKeyTenant, organizationKey: string, input: Input): Promise<Row[]> =>
  db.query<Row>(sql`
    select n.key, n.id
    from notification n
    where n.api_key = ${tenant.apiKey} and n.organization_key = ${organizationKey} and ${conditionOf(input)}
    order by n.key
    limit ${MAX_DELETED + 1}
    for update`)

async function deleteAll(db: Db, tenant: ApiKeyTenant, organizationKey: string, keys: string[]): Promise<Set<string>> {
  await db.query(sql`
    delete from notification
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and key = any(${keys}::uuid[])`)
  return new Set(keys)
}
