import type { Issue } from '../../platform/errors.ts'
import { oversized } from '../../platform/record-size.ts'
import { identifier, type Static, Type } from '../../platform/schema.ts'
import { Person } from '../comments/comment/person.ts'
import { placeOrCreateInput } from '../comments/thread/place.ts'
import { Location } from '../locations/location.ts'
import { Context } from '../permissions/access/access-fields.ts'
import type { User } from '../users/user.ts'
import { messageFields, type NotificationRecord, notificationSource } from './notification.ts'

/** Metadata as callers send it. The fields in which records of the service show the location say where it is. */
export const MetadataInput = Type.Object(
  {
    location: Type.Optional(Location),
    locationId: Type.Optional(
      Type.Union([identifier('The id of the location.'), Type.Number()], { description: 'The id of the location.' }),
    ),
  },
  {
    additionalProperties: true,
    description:
      'Data of your own, given back in `metadata` beside the fields of the service. `location` or `locationId` in it ' +
      'says where the notification is, unless a `location` beside it does.',
  },
)

/** A notification as callers send it. */
export const NotificationInput = Type.Object({
  ...placeOrCreateInput,
  notificationId: Type.Optional(
    identifier('Your id of the notification, by which it reaches nobody twice while it is kept. Default: a new one.'),
  ),
  actionUser: Person,
  notifyUsers: Type.Optional(Type.Array(Person, { description: 'To whom it is addressed.' })),
  notifyAll: Type.Optional(
    Type.Boolean({
      description:
        'False: to `notifyUsers` alone, which is then required. Default: to every other user of the organization too.',
    }),
  ),
  verifyUserPermissions: Type.Optional(
    Type.Boolean({ description: 'True: only to those who have access to the document.' }),
  ),
  isCrossOrganizationEnabled: Type.Optional(Type.Literal(false, { description: 'Not built: true is refused.' })),
  notificationSource: Type.Optional(notificationSource),
  ...messageFields,
  location: Type.Optional(Location),
  metadata: Type.Optional(MetadataInput),
  context: Type.Optional(Context),
  isNotificationResolverUsed: Type.Optional(
    Type.Boolean({
      description:
        'True: the messages may be left out; your own resolver fills them in. Otherwise ' +
        '`displayHeadlineMessageTemplate` is required, and `displayBodyMessage` or its template.',
    }),
  ),
})
type Input = Static<typeof NotificationInput>

/** The stored part of a notification. */
export function recordOf(input: Input, actionUser: User): NotificationRecord {
  const { notificationSource = 'custom', context, isNotificationResolverUsed } = input
  const location = input.location ?? locationIn(input.metadata)
  const words = Object.keys(messageFields).flatMap((field) => {
    const value = input[field as keyof typeof messageFields]
    return value === undefined ? [] : [[field, value]]
  })
  return {
    notificationSource,
    actionUser,
    notifyAll: input.notifyAll ?? true,
    ...Object.fromEntries(words),
    ...(location && { location }),
    ...(context && { context }),
    ...(isNotificationResolverUsed !== undefined && { isNotificationResolverUsed }),
  }
}

/** The location that metadata names, in the fields where records of the service show it. */
export const locationIn = ({ location, locationId }: Static<typeof MetadataInput> = {}): Location | undefined =>
  location ?? (locationId === undefined ? undefined : { id: locationId })

/** What is missing in a notification, or too large. */
export const notificationIssues = (input: Input): Issue[] => [
  ...missingMessages(input),
  ...missingRecipients(input),
  ...sizeIssues(input),
]

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
