import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, json, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { mayMerge, SIZE_LIMIT } from '../../platform/record-size.ts'
import { clearedByNull, identifier, REFUSES_NULL, type Static, Type } from '../../platform/schema.ts'
import { type People, Person } from '../comments/comment/person.ts'
import { locationKey } from '../locations/location.ts'
import { messageFields } from './notification.ts'
import { locationIn, MetadataInput } from './notification-input.ts'

const clearable = {
  displayHeadlineMessageTemplate: clearedByNull(messageFields.displayHeadlineMessageTemplate),
  displayHeadlineMessageTemplateData: clearedByNull(messageFields.displayHeadlineMessageTemplateData),
  displayBodyMessage: clearedByNull(messageFields.displayBodyMessage),
  displayBodyMessageTemplate: clearedByNull(messageFields.displayBodyMessageTemplate),
  displayBodyMessageTemplateData: clearedByNull(messageFields.displayBodyMessageTemplateData),
  notificationSourceData: clearedByNull(messageFields.notificationSourceData),
  metadata: clearedByNull(MetadataInput),
}

/** A change of a notification; omitted fields stay. */
export const Change = Type.Object(
  {
    id: identifier('Id of the notification.'),
    actionUser: Type.Optional(Person),
    ...clearable,
    readByUserIds: Type.Optional(Type.Array(identifier('Id of a user who has read it.'))),
    persistReadForUsers: Type.Optional(
      Type.Boolean({ description: 'True: what these users have read stays among what is for them.' }),
    ),
  },
  {
    ...REFUSES_NULL,
    description: `A change; without \`readByUserIds\`, ${SIZE_LIMIT}, as is the notification afterwards. Null clears a field.`,
  },
)
export type Change = Static<typeof Change>

/**
 * Writes changes of distinct notifications that the transaction has locked. Returns the changes whose result fits into
 * a record.
 */
export async function writeRecords(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationKey, changes, people }: { organizationKey: string; changes: Change[]; people: People },
): Promise<Change[]> {
  const changed = changes.map(({ id, actionUser, readByUserIds, persistReadForUsers, ...words }) => {
    const location = locationIn(words.metadata ?? undefined)
    return {
      key: keyOf(id),
      actorKey: actionUser ? keyOf(actionUser.userId) : null,
      placeKey: locationKey(location),
      change: {
        ...known(words),
        ...(actionUser && { actionUser: people.complete(actionUser) }),
        ...(location && { location }),
      },
      cleared: Object.entries(words).flatMap(([field, value]) => (value === null ? [field] : [])),
    }
  })
  const written = await db.query<{ key: string }>(sql`
    update notification n
    set record = (n.record || i.change) - i.cleared::text[], actor_key = coalesce(i.actor_key, n.actor_key),
      location_key = case when i.change ? 'location' then i.location_key else n.location_key end
    from unnest(
      ${changed.map(({ key }) => key)}::uuid[],
      ${changed.map(({ actorKey }) => actorKey)}::uuid[],
      ${changed.map(({ placeKey }) => placeKey)}::uuid[],
      ${changed.map(({ change }) => json(change))}::jsonb[],
      ${changed.map(({ cleared }) => `{${cleared}}`)}::text[]
    ) as i (key, actor_key, location_key, change, cleared)
    where n.api_key = ${tenant.apiKey} and n.organization_key = ${organizationKey} and n.key = i.key
      and ${mayMerge(sql`n.record`, sql`i.change`)}
    returning n.key`)
  const fitting = new Set(written.map(({ key }) => key))
  return changes.filter(({ id }) => fitting.has(keyOf(id)))
}

const known = (words: object) =>
  Object.fromEntries(Object.entries(words).filter(([field]) => Object.hasOwn(messageFields, field)))

/** Marks copies read. A copy that was read before keeps its time. */
export async function markRead(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  changes: Change[],
): Promise<void> {
  const readers = changes.flatMap(({ id, readByUserIds = [], persistReadForUsers = false }) =>
    [...new Set(readByUserIds)].map((userId) => ({ key: keyOf(id), userKey: keyOf(userId), persistReadForUsers })),
  )
  if (readers.length === 0) return
  await db.query(sql`
    update notification_recipient r
    set read_at = coalesce(r.read_at, now_ms()), for_you = r.for_you and i.persists
    from unnest(
      ${readers.map(({ key }) => key)}::uuid[],
      ${readers.map(({ userKey }) => userKey)}::uuid[],
      ${readers.map(({ persistReadForUsers }) => persistReadForUsers)}::boolean[]
    ) as i (notification_key, user_key, persists)
    where r.api_key = ${tenant.apiKey} and r.organization_key = ${organizationKey}
      and r.notification_key = i.notification_key and r.user_key = i.user_key`)
}
