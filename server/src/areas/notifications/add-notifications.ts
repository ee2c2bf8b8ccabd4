import type { Issue } from '../../platform/errors.ts'
import { randomId } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { oversized, SIZE_LIMIT } from '../../platform/record-size.ts'
import { identifier, itemResult, type Static, Type } from '../../platform/schema.ts'
import { lookUpPeople, Person } from '../comments/thread/person.ts'
import { ensurePlace, placeOrCreateInput } from '../comments/thread/place.ts'
import { Location } from '../locations/location.ts'
import { Context } from '../permissions/access-fields.ts'
import type { User } from '../users/user.ts'
import { deliver } from './deliver.ts'
import { messageFields, type NotificationRecord, notificationSource } from './notification.ts'
import { membersOf, optedInUsers, withAccess, withFields } from './opted-in-users.ts'

const ADDED = 'Notification added successfully.'

const Input = Type.Object({
  ...placeOrCreateInput,
  notificationId: Type.Optional(
    identifier('Your id of the notification, by which it reaches nobody twice while it is kept. Default: a new one.'),
  ),
  actionUser: Person,
  notifyUsers: Type.Optional(Type.Array(Person, { description: 'To whom it is addressed.' })),
  notifyAll: Type.Optional(
    Type.Boolean({ description: 'False: to `notifyUsers` alone. Default: to every user of the organization too.' }),
  ),
  verifyUserPermissions: Type.Optional(
    Type.Boolean({ description: 'True: only to those who have access to the document.' }),
  ),
  notificationSource: Type.Optional(notificationSource),
  ...messageFields,
  location: Type.Optional(Location),
  context: Type.Optional(Context),
  isNotificationResolverUsed: Type.Optional(
    Type.Boolean({ description: 'True: the messages may be left out; your own resolver fills them in.' }),
  ),
})
type Input = Static<typeof Input>

/**
 * Notifies users according to their preferences. While a notification is stored, its id reaches a user at most once,
 * even after the user's copy is deleted.
 */
export const addNotifications = operation({
  path: '/v2/notifications/add',
  twin: '/v1/notifications/add',
  auth: 'apiKey',
  access: 'write',
  summary: 'Add a notification',
  description: `Without \`notifyUsers\`, it is ${SIZE_LIMIT}.`,
  input: Input,
  output: itemResult(),
  errors: ['NOT_FOUND'],
  message: ADDED,
  check: (input) => [...missingMessages(input), ...missingRecipients(input), ...sizeIssues(input)],
}).run(async ({ db, tenant, input }) => {
  const place = await ensurePlace(db, tenant, input)
  const { organizationKey, documentKey } = place
  const { actionUser, notifyUsers = [] } = input
  const people = await lookUpPeople(
    db,
    tenant,
    [actionUser, ...notifyUsers].map(({ userId }) => userId),
  )
  const named = new Map(notifyUsers.map((person) => [person.userId, people.complete(person)]))
  const members = input.notifyAll === false ? [] : await membersOf(db, tenant, organizationKey)
  const users = new Map([...members.map((user) => [user.userId, user] as const), ...named])
  const candidates = [...users.values()].map((user) => ({ user, forYou: named.has(user.userId) }))
  const wanting = await optedInUsers(db, tenant, place, candidates)
  const admitted = input.verifyUserPermissions ? await withAccess(db, tenant, place, wanting) : wanting
  await deliver(db, tenant, [
    {
      organizationKey,
      documentKey,
      id: input.notificationId ?? randomId('nt_'),
      annotationKey: null,
      commentId: null,
      record: recordOf(input, people.complete(actionUser)),
      recipients: await withFields(db, tenant, place, admitted, input.context),
    },
  ])
  return { success: true, message: ADDED }
})

function missingMessages(input: Input): Issue[] {
  if (input.isNotificationResolverUsed) return []
  const issue = (path: string) => ({ path, message: 'is required unless isNotificationResolverUsed is true' })
  const body = input.displayBodyMessage ?? input.displayBodyMessageTemplate
  return [
    ...(input.displayHeadlineMessageTemplate === undefined ? [issue('displayHeadlineMessageTemplate')] : []),
    ...(body === undefined ? [issue('displayBodyMessage')] : []),
  ]
}

const missingRecipients = ({ notifyAll, notifyUsers }: Input): Issue[] =>
  notifyAll === false && notifyUsers === undefined
    ? [{ path: 'notifyUsers', message: 'is required when notifyAll is false' }]
    : []

const sizeIssues = ({ notifyUsers: _, ...notification }: Input): Issue[] =>
  oversized('', notification).map(({ path, message }) => ({
    path,
    message: `without notifyUsers, the call ${message}`,
  }))

function recordOf(input: Input, actionUser: User): NotificationRecord {
  const { notificationSource = 'custom', location, context, isNotificationResolverUsed } = input
  const words = Object.keys(messageFields).flatMap((field) => {
    const value = input[field as keyof typeof messageFields]
    return value === undefined ? [] : [[field, value]]
  })
  return {
    notificationSource,
    actionUser,
    ...Object.fromEntries(words),
    ...(location && { location }),
    ...(context && { context }),
    ...(isNotificationResolverUsed !== undefined && { isNotificationResolverUsed }),
  }
}
