import { withFields } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { hexId } from '../../platform/id.ts'
import { HOLDS_METADATA } from '../../platform/record-size.ts'
import { anyObject, mapOf, oneOf, type Static, Type, text } from '../../platform/schema.ts'
import { withNames } from '../comments/comment/comment-input.ts'
import { textOfComment } from '../comments/comment/markup-text.ts'
import { Location, locationId, locationKey } from '../locations/location.ts'
import { User } from '../users/user.ts'
import { render } from './template.ts'

/** Where notifications come from. */
export const notificationSource = oneOf(['custom', 'comment', 'huddle', 'crdt'], 'Where it comes from.')

/** The fields of a notification that callers write themselves. */
export const messageFields = {
  displayHeadlineMessageTemplate: Type.Optional(text('The headline, with `{variable}` placeholders.')),
  displayHeadlineMessageTemplateData: Type.Optional(
    anyObject('The values of the placeholders: actionUser, recipientUser and any of your own.'),
  ),
  displayBodyMessage: Type.Optional(text('The text below the headline.')),
  displayBodyMessageTemplate: Type.Optional(text('The same as a template, where there is no text.')),
  displayBodyMessageTemplateData: Type.Optional(anyObject('The values of its placeholders.')),
  notificationSourceData: Type.Optional(anyObject('Data of your own, such as what to open.')),
  metadata: Type.Optional(anyObject('Data of your own, given back in `metadata` beside the fields of the service.')),
}

const recordFields = {
  notificationSource,
  actionType: Type.Optional(Type.String({ description: 'What was done, in the words of basic webhooks.' })),
  actionUser: Type.Optional(User),
  ...messageFields,
  notifyAll: Type.Optional(Type.Boolean({ description: 'Whether it went to every other user of the organization.' })),
  context: Type.Optional(anyObject('Data of your own; `access` says whom it is shown to.')),
  isNotificationResolverUsed: Type.Optional(
    Type.Boolean({ description: 'Whether the messages are filled in by your own resolver.' }),
  ),
}
const NotificationRecord = Type.Object({ ...recordFields, location: Type.Optional(Location) })

/** The stored part of a notification, without its id, place and time. */
export type NotificationRecord = Static<typeof NotificationRecord>

const notified = mapOf(Type.Boolean(), 'Whether it is among what is for them, by a hash of the user.')

/** A notification as returned. */
export const Notification = Type.Object({
  id: Type.String(),
  ...recordFields,
  displayHeadlineMessage: Type.Optional(Type.String({ description: 'The headline with its values filled in.' })),
  targetAnnotationId: Type.Optional(Type.String({ description: 'The thread that it tells of.' })),
  timestamp: Type.Integer({ description: 'Epoch milliseconds.' }),
  isUnread: Type.Optional(Type.Boolean({ description: 'Whether the user asked for has not read it.' })),
  forYou: Type.Optional(Type.Boolean({ description: 'Whether it is addressed to the user asked for.' })),
  notifyUsers: notified,
  notifyUsersByUserId: notified,
  metadata: Type.Object(
    {
      apiKey: Type.String(),
      organizationId: Type.String(),
      documentId: Type.String(),
      clientOrganizationId: Type.String(),
      clientDocumentId: Type.String(),
      locationId: Type.Optional(Type.Integer()),
      location: Type.Optional(Location),
    },
    HOLDS_METADATA,
  ),
})
export type Notification = Static<typeof Notification>

/** A notification as read, with one user's copy or the users that it is addressed to. */
export interface NotificationRow {
  key: string
  id: string
  documentId: string
  annotationId: string | null
  /** The comment that it is about, as it is now: its text, and whom it mentions. */
  comment: { commentText: string | null; commentHtml: string | null; to: User[] } | null
  record: NotificationRecord
  timestamp: number
  copy: { person: User; forYou: boolean; readAt: number | null } | null
  addressed: User[]
}

/** Converts a notification to the one that operations return, with its messages rendered. */
export function toNotification({ apiKey }: ApiKeyTenant, organizationId: string, row: NotificationRow): Notification {
  const { id, documentId, annotationId, record, timestamp, copy, addressed } = row
  const { location, metadata, ...fields } = record
  // A `locationId` beside a location that names nothing leads nowhere.
  const { locationId: _, ...ownFields } = metadata ?? {}
  const { displayHeadlineMessageTemplate: headline } = record
  const values = valuesOf(row, record.displayHeadlineMessageTemplateData)
  const body = bodyOf(row)
  const at = locationId(locationKey(location))
  return {
    id,
    ...fields,
    ...(headline !== undefined && {
      displayHeadlineMessage: render(headline, values),
      displayHeadlineMessageTemplateData: values,
    }),
    ...(body !== undefined && { displayBodyMessage: body }),
    ...(annotationId !== null && { targetAnnotationId: annotationId }),
    timestamp,
    ...(copy && { isUnread: copy.readAt === null, forYou: copy.forYou }),
    notifyUsers: Object.fromEntries(
      addressed.flatMap(({ email }) => (email === undefined ? [] : [[hexId('email', apiKey, email), true]])),
    ),
    notifyUsersByUserId: Object.fromEntries(addressed.map(({ userId }) => [hexId('user', apiKey, userId), true])),
    metadata: withFields(ownFields, {
      apiKey,
      organizationId,
      documentId,
      clientOrganizationId: organizationId,
      clientDocumentId: documentId,
      ...(at !== null && { locationId: at }),
      ...(location && { location }),
    }),
  }
}

/**
 * The body. The text of a comment is read at its source, so no notification shows a text that was changed or erased.
 */
function bodyOf(row: NotificationRow): string | undefined {
  const { displayBodyMessage, displayBodyMessageTemplate, displayBodyMessageTemplateData } = row.record
  if (displayBodyMessage !== undefined) return displayBodyMessage
  if (displayBodyMessageTemplate !== undefined)
    return render(displayBodyMessageTemplate, valuesOf(row, displayBodyMessageTemplateData))
  return row.comment ? withNames(textOfComment(row.comment), row.comment.to) || undefined : undefined
}

const valuesOf = ({ record, copy }: NotificationRow, data: Record<string, unknown> | undefined) => ({
  actionUser: record.actionUser,
  recipientUser: copy?.person,
  ...data,
})
