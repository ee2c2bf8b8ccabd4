import { anyObject, nullable, oneOf, type TProperties, type TSchema, Type } from '../../../platform/schema.ts'
import { Comment } from '../../comments/comment/comment.ts'
import { CommentAnnotation } from '../../comments/thread/annotation.ts'
import { Priority, Status } from '../../comments/thread/status.ts'
import { Visibility } from '../../comments/thread/visibility.ts'
import { User } from '../../users/user.ts'
import { EVENT_TYPES } from './event-type.ts'

/** The messages of one event type, as the OpenAPI document and the types of the client describe them. */
export interface MessageSchema {
  /** When it is sent. */
  summary: string
  /** What the event tells. */
  data: TSchema
  /** What an endpoint receives: the event, or what `endpoints/test` sends. */
  body: TSchema
}

const isAbridged = Type.Optional(
  Type.Boolean({ description: 'True: its largest fields are left out, since it is too large.' }),
)

/** Where a shared schema is in the OpenAPI document. */
export const referenceTo = (name: string): string => `#/components/schemas/${name}`

// The records within others that have a schema of their own, by the text of theirs.
const RECORDS = new Map(
  Object.entries({
    MessageComment: Comment,
    MessageUser: User,
    MessageStatus: Status,
    MessagePriority: Priority,
    MessageVisibility: Visibility,
  }).map(([name, schema]) => [JSON.stringify(schema), name]),
)
const KEPT = new Set(['id', 'userId'])

const envelope = {
  webhookId: Type.String({ description: 'The same on every attempt and for every endpoint.' }),
  actionType: Type.String(),
  source: Type.String(),
  platform: Type.String(),
}

/** The schemas that several messages share, by name. */
export const SHARED_BY_MESSAGES = {
  MessageThread: abridged(
    'annotationId',
    Type.Object(
      {
        ...CommentAnnotation.properties,
        commentsCount: Type.Integer({
          description: 'How many comments it has; `comments` has the first and the latest.',
        }),
        isAbridged,
      },
      { description: 'The thread after the event; of a deletion, before it.' },
    ),
  ),
  MessageComment: abridged('commentId', Type.Object({ ...Comment.properties, isAbridged })),
  MessageUser: Type.Object({ ...Type.Partial(User).properties, userId: Type.String() }),
  MessageStatus: Type.Object({ ...Status.properties, isAbridged }),
  MessagePriority: Type.Object({ ...Priority.properties, isAbridged }),
  MessageVisibility: Type.Object({ ...Visibility.properties, isAbridged }),
  MessagePlace: Type.Object(
    {
      apiKey: Type.String(),
      organizationId: Type.String(),
      documentId: Type.String(),
      documentName: Type.Optional(Type.String({ description: 'Empty: it has none.' })),
    },
    {
      additionalProperties: true,
      description: 'Where it happened, with the fields of your own that the document has.',
    },
  ),
  TestMessage: Type.Object(
    {
      event: oneOf([...EVENT_TYPES], 'The type that was asked for.'),
      ...envelope,
      test: Type.Literal(true),
      data: Type.Object({ endpointId: Type.String() }),
    },
    { description: 'Sent by `endpoints/test`.' },
  ),
} satisfies Record<string, TSchema>

const shared = (name: keyof typeof SHARED_BY_MESSAGES) => Type.Ref(referenceTo(name))

const inPlace = { actionUser: Type.Optional(shared('MessageUser')), metadata: shared('MessagePlace') }

const onThread = (summary: string, more: TProperties = {}): [string, TProperties] => [
  summary,
  {
    ...inPlace,
    commentAnnotation: shared('MessageThread'),
    ...more,
    /** Absent: everybody sees the thread. */
    visibility: Type.Optional(shared('MessageVisibility')),
  },
]

const targetComment = shared('MessageComment')
const reaction = Type.Object({ id: Type.String(), icon: Type.String(), from: shared('MessageUser') })
const onReaction = { reaction, targetComment: Type.Optional(targetComment) }
const files = Type.Array(anyObject('A file of the recording.'))
const time = Type.Integer({ description: 'Epoch milliseconds.' })

const DATA: Record<string, [summary: string, data: TProperties]> = {
  'comment_annotation.add': onThread('A thread was added', { targetComment: Type.Optional(targetComment) }),
  'comment_annotation.status_change': onThread('The status of a thread changed', {
    oldStatus: shared('MessageStatus'),
    newStatus: shared('MessageStatus'),
  }),
  'comment_annotation.assign': onThread('A thread was assigned, or is no longer'),
  'comment_annotation.priority_change': onThread(
    'The priority of a thread changed; without `newPriority` it was cleared',
    {
      newPriority: Type.Optional(shared('MessagePriority')),
    },
  ),
  'comment_annotation.custom_list_change': onThread('The custom list of a thread changed'),
  'comment_annotation.suggestion_accept': onThread('A suggestion was accepted'),
  'comment_annotation.suggestion_reject': onThread('A suggestion was rejected'),
  'comment_annotation.subscribe': onThread('A user subscribed to a thread: `actionUser`'),
  'comment_annotation.unsubscribe': onThread('A user unsubscribed from a thread: `actionUser`'),
  'comment.add': onThread('A comment was added to a thread', { targetComment }),
  'comment.update': onThread('A comment was changed', { targetComment }),
  'comment.delete': onThread('A comment was deleted; without `targetComment` the whole thread', {
    targetComment: Type.Optional(targetComment),
  }),
  'comment.reaction_add': onThread('A reaction was added', onReaction),
  'comment.reaction_delete': onThread('A reaction was deleted', onReaction),
  'recorder.done': [
    'A recording was added',
    {
      ...inPlace,
      recorderId: Type.String({ description: 'Id of the recording.' }),
      from: nullable(shared('MessageUser')),
      assets: files,
      assetsAllVersions: files,
      transcription: Type.Optional(anyObject('What was said.')),
    },
  ],
  'endpoint.disabled': [
    'An endpoint was disabled',
    {
      endpointId: Type.String(),
      url: Type.String(),
      reason: oneOf(['gone', 'failing', 'manual'], 'It answered 410, failed for too long, or was disabled by a call.'),
      failingSince: nullable(time),
    },
  ],
  'message.attempt.exhausted': [
    'The last retry of a message has failed',
    {
      endpointId: Type.String(),
      messageId: Type.String({ description: 'The `webhook-id` of the message that did not arrive.' }),
      eventType: Type.String(),
      attempts: Type.Integer(),
      lastStatus: nullable(Type.Integer({ description: 'HTTP status of the last attempt; null without a response.' })),
      lastError: nullable(Type.String({ description: 'Why there was no response.' })),
      lastAttemptAt: time,
    },
  ],
}

/** Every message that an advanced endpoint can get, by event type. */
export const MESSAGES: Record<string, MessageSchema> = Object.fromEntries(
  Object.entries(DATA).map(([type, [summary, fields]]) => {
    const data = Type.Object(fields)
    const event = Type.Object({ event: Type.Literal(type), ...envelope, data })
    return [type, { summary, data, body: Type.Union([event, shared('TestMessage')]) }]
  }),
)

/** A record of which the id alone is sure: where it is too large, its largest fields are left out. */
function abridged(id: string, { required: _, ...schema }: TSchema & { required?: string[] }): TSchema {
  return { ...(reduced(JSON.parse(JSON.stringify(schema))) as TSchema), required: [id] } as TSchema
}

/** A schema of which `enableDataProtection` may have removed fields: of those within, the ids alone are required. */
function reduced(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reduced)
  if (typeof value !== 'object' || value === null) return value
  const name = RECORDS.get(JSON.stringify(value))
  if (name !== undefined) return { $ref: referenceTo(name) }
  return Object.fromEntries(
    Object.entries(value).map(([field, item]) => [
      field,
      field === 'required' && Array.isArray(item) ? item.filter((each) => KEPT.has(each)) : reduced(item),
    ]),
  )
}
