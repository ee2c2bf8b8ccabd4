import { lastById, resultsOf } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, empty, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { OUTGROWN, oversizedItems } from '../../platform/record-size.ts'
import { identifier, itemResult, mapOf, Type } from '../../platform/schema.ts'
import { lookUpPeople } from '../comments/comment/person.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { decide } from '../permissions/access/access.ts'
import { Change, markRead, writeRecords } from './notification-change.ts'
import { conditionOf, notificationFilter } from './notification-filter.ts'

const FAILED = 'Failed to update notification.'

/** Updates notifications and marks them read; omitted fields stay. */
export const updateNotifications = operation({
  path: '/v2/notifications/update',
  twin: '/v1/notifications/update',
  auth: 'apiKey',
  access: 'write',
  summary: 'Update notifications',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    ...notificationFilter,
    verifyUserPermissions: Type.Optional(
      Type.Boolean({
        description: 'True: where `userId` or the `actionUser` has no access to the document, nothing is changed.',
      }),
    ),
    notifications: Type.Array(Change),
  }),
  example: { organizationId: 'example', notifications: [{ id: 'launch', readByUserIds: ['iris'] }] },
  output: mapOf(itemResult(), 'One result per notification id.'),
  errors: [],
  message: 'Notification(s) updated successfully.',
  check: ({ notifications }) =>
    oversizedItems(
      'notifications',
      notifications.map(({ readByUserIds: _, ...change }) => change),
    ),
}).run(async ({ db, tenant, input }) => {
  const organizationKey = organizationKeyOf(tenant, input.organizationId)
  const changes = lastById(input.notifications, ({ id }) => id)
  const people = await lookUpPeople(
    db,
    tenant,
    [...changes.values()].flatMap(({ actionUser }) => (actionUser ? [actionUser.userId] : [])),
  )
  const found = await lock(db, tenant, organizationKey, { ...input, notificationIds: [...changes.keys()] })
  const candidates = found.flatMap((row) => {
    const change = changes.get(row.id)
    return change ? [{ ...row, change }] : []
  })
  const admitted = input.verifyUserPermissions
    ? await ofViewableDocuments(db, tenant, { organizationKey, userId: input.userId }, candidates)
    : candidates
  const due = admitted.map(({ change }) => change)
  const written = await writeRecords(db, tenant, { organizationKey, changes: due, people })
  await markRead(db, tenant, organizationKey, written)
  const updated = new Set(written.map(({ id }) => id))
  const grown = new Set(due.map(({ id }) => id).filter((id) => !updated.has(id)))
  return resultsOf(changes.keys(), (id) => {
    if (updated.has(id)) return { success: true, message: 'Notification updated.' }
    return { success: false, message: grown.has(id) ? `${FAILED} ${OUTGROWN}` : FAILED }
  })
})

interface Found {
  id: string
  documentKey: string
}

function lock(
  db: Db,
  { apiKey }: ApiKeyTenant,
  organizationKey: string,
  filter: { documentId?: string; locationId?: string | number; userId?: string; notificationIds: string[] },
): Promise<Found[]> {
  const { userId } = filter
  const copy = sql`
    and exists (
      select from notification_recipient r
      where r.api_key = ${apiKey} and r.organization_key = ${organizationKey} and r.notification_key = n.key
        and r.user_key = ${keyOf(userId ?? '')} and not r.is_deleted
      -- Forces a look-up per notification: the user may have many.
      offset 0)`
  return db.query<Found>(sql`
    select n.id, n.document_key as "documentKey"
    from notification n
    where n.api_key = ${apiKey} and n.organization_key = ${organizationKey} and ${conditionOf(filter)}
      ${userId === undefined ? empty : copy}
    order by n.key
    for no key update`)
}

/** The items whose document the named user and the actor of the change may view. */
async function ofViewableDocuments<Item extends Found & { change: Change }>(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationKey, userId }: { organizationKey: string; userId: string | undefined },
  items: Item[],
): Promise<Item[]> {
  const acting = items.flatMap(({ change: { id, actionUser }, documentKey: key }) =>
    [userId, actionUser?.userId].flatMap((who) =>
      who === undefined ? [] : [{ id, userKey: keyOf(who), type: 'document' as const, key }],
    ),
  )
  const decisions = await decide(
    db,
    tenant,
    organizationKey,
    acting.map((check) => ({ ...check, action: 'view' })),
  )
  const denied = new Set(acting.filter((_, index) => !decisions[index]?.allowed).map(({ id }) => id))
  return items.filter(({ id }) => !denied.has(id))
}
