import { SIZE_LIMIT } from '../../../platform/record-size.ts'
import {
  anyObject,
  identifier,
  oneOf,
  type Static,
  Type,
  text,
  timestamp,
  wholeNumber,
} from '../../../platform/schema.ts'
import { fillIn } from '../../../platform/template.ts'
import { Context } from '../../permissions/access/access-fields.ts'
import { Attachment } from './attachment.ts'
import { Person } from './person.ts'

/** The id of a comment, unique in its thread. */
export const commentId = wholeNumber('Id of the comment, unique in its thread.')

/** A user mentioned in a comment. Its text names the user as `{{userId}}`. */
const TaggedUserContact = Type.Object({
  userId: identifier('Id of the mentioned user.'),
  text: Type.Optional(text('The words of the comment that stand for the user.')),
  contact: Type.Optional(Type.Partial(Person)),
})

/** The AI agent that wrote a comment, and its finding. */
export const Agent = Type.Object(
  {
    agentId: identifier('Id of the agent.'),
    agentSource: Type.Optional(text('Where the agent runs.')),
    agentType: Type.Optional(
      oneOf(['built-in', 'custom', 'external'], 'Default: external for the source `external`, else custom.'),
    ),
    agentName: Type.Optional(text('Name of the agent.')),
    executionId: Type.Optional(identifier('Id of the run in which the agent wrote this.')),
    url: Type.Optional(text('The page that the agent reviewed.')),
    reason: Type.Optional(anyObject('What the agent found: title, description, severity, findingId, …')),
    agentFields: Type.Optional(Type.Array(Type.String(), { description: 'What else is known of it.' })),
  },
  { additionalProperties: true, description: 'Further fields are kept.' },
)
export type Agent = Static<typeof Agent>

/** The content of a comment that can be set when it is added or updated. */
export const contentInput = {
  commentText: Type.Optional(text('The text; `{{userId}}` mentions a user, at most 1,000 in one request.')),
  commentHtml: Type.Optional(text('The text as HTML.')),
  context: Type.Optional(Context),
  isCommentResolverUsed: Type.Optional(Type.Boolean({ description: 'Whether the text is kept by the caller alone.' })),
  isCommentTextAvailable: Type.Optional(Type.Boolean({ description: 'Whether there is a text.' })),
  taggedUserContacts: Type.Optional(Type.Array(TaggedUserContact, { description: 'The mentioned users.' })),
  attachments: Type.Optional(Type.Array(Attachment)),
}

/** What a write may leave out or ask for besides its change. The switches of an item beat those of the request. */
export const triggerInput = {
  triggerNotification: Type.Optional(
    Type.Boolean({ description: 'False: no notification, email or webhook for this. Default: true.' }),
  ),
  triggerActivities: Type.Optional(
    Type.Boolean({
      description:
        'True: an activity record, whatever the triggers of the activity config say; false: none. Default: as they say.',
    }),
  ),
}

/** A comment as callers add it. */
export const CommentInput = Type.Object(
  {
    commentId: Type.Optional(commentId),
    type: Type.Optional(oneOf(['text', 'voice'], 'Default: text.')),
    from: Person,
    ...contentInput,
    commentVoiceUrl: Type.Optional(text('Address of a spoken comment.')),
    recorders: Type.Optional(Type.Array(anyObject('A recording in the comment.'))),
    customList: Type.Optional(Type.Array(anyObject('An item `{ id, label }` of a list of your own.'))),
    toOrganizationUserGroup: Type.Optional(
      Type.Array(anyObject('A mentioned user group, by `groupId`. Its users are notified.')),
    ),
    agent: Type.Optional(Agent),
    createdAt: Type.Optional(timestamp('Default: now.')),
    lastUpdated: Type.Optional(timestamp('Default: `createdAt`.')),
    ...triggerInput,
  },
  { description: `A comment; ${SIZE_LIMIT}.` },
)
export type CommentInput = Static<typeof CommentInput>

/** The ids of all users that a comment names: its author, tagged users, and each possible `{{userId}}` of its text. */
export const commentUserIds = ({
  from,
  commentText,
  taggedUserContacts = [],
}: Pick<Partial<CommentInput>, 'from' | 'commentText' | 'taggedUserContacts'>): string[] => [
  ...(from ? [from.userId] : []),
  ...taggedUserContacts.map(({ userId }) => userId),
  ...placeholders(commentText),
]

const PLACEHOLDER = /\{\{([^{}]{1,256})\}\}/gu

/** Yields the `x` of every `{{x}}` in a text. */
export function* placeholders(text = ''): Generator<string> {
  for (const [, id] of text.matchAll(PLACEHOLDER)) if (id !== undefined) yield id
}

/** Replaces the ids in the placeholders of a text. */
export const renamePlaceholders = (text: string, rename: (id: string) => string): string =>
  text.replace(PLACEHOLDER, (_, id: string) => `{{${rename(id)}}}`)

/**
 * A text with `@name` in place of each `{{userId}}` of the mentioned people; other placeholders stay. A text that
 * mentions somebody is cut at `MAX_MESSAGE`, because names may be long.
 */
export function withNames(text: string, mentioned: readonly { userId: string; name: string }[]): string {
  if (mentioned.length === 0) return text
  const names = new Map(mentioned.map(({ userId, name }) => [userId, `@${name}`]))
  return fillIn(text, PLACEHOLDER, (userId) => names.get(userId) ?? `{{${userId}}}`)
}

/** Adds `accessFields` to a context: each entry of `access` as `key:value`. */
export function withAccessFields(context: Record<string, unknown>): Record<string, unknown> {
  const { access } = context
  if (typeof access !== 'object' || access === null) return context
  return { ...context, accessFields: Object.entries(access).map(([key, value]) => `${key}:${value}`) }
}
