import type { Issue } from '../../../platform/errors.ts'
import { oversizedItems, SIZE_LIMIT } from '../../../platform/record-size.ts'
import { anyObject, identifier, oneOf, type Static, Type, text, timestamp } from '../../../platform/schema.ts'
import { Location } from '../../locations/location.ts'
import { Context } from '../../permissions/access/access-fields.ts'
import type { CommentRecord } from '../comment/comment.ts'
import { CommentInput, commentUserIds, withAccessFields } from '../comment/comment-input.ts'
import { commentIssues, commentsAt } from '../comment/comment-limits.ts'
import { type People, Person } from '../comment/person.ts'
import { type AnnotationRecord, Suggestion } from './annotation.ts'
import { OPEN, PriorityInput, StatusInput, statusIssues, toPriority, toStatus } from './status.ts'
import { toVisibility, Visibility } from './visibility.ts'

/** The fields of a thread that can be set when it is added or updated. */
export const threadInput = {
  location: Type.Optional(Location),
  targetElement: Type.Optional(anyObject('What the thread points at: elementId, targetText, occurrence, …')),
  status: Type.Optional(StatusInput),
  assignedTo: Type.Optional(Person),
  priority: Type.Optional(PriorityInput),
  context: Type.Optional(Context),
  customList: Type.Optional(Type.Array(anyObject('An item `{ id, label }` of a list of your own.'))),
  pageInfo: Type.Optional(
    anyObject(
      'The page that the thread is on: url, title, deviceInfo, … Emails lead to its `url`, with the id of the thread as `scommentId`; without one they have no link.',
    ),
  ),
  color: Type.Optional(text('The color of the thread, for the clients.')),
  sourceType: Type.Optional(text('What it comes from, for the clients.')),
  contextId: Type.Optional(text('Your id of its context.')),
  suggestion: Type.Optional(Suggestion),
  visibility: Type.Optional(Visibility),
}

/** A thread as callers add it, with its first comments. */
export const AnnotationInput = Type.Object(
  {
    annotationId: Type.Optional(identifier('Your id of the thread; default: a new one.')),
    ...threadInput,
    commentData: Type.Array(CommentInput, {
      minItems: 1,
      description: 'The comments; the first one starts the thread.',
    }),
    type: Type.Optional(oneOf(['comment', 'suggestion'], 'Default: comment, or suggestion when there is one.')),
    commentType: Type.Optional(text('Default: manual.')),
    createdAt: Type.Optional(timestamp('Default: now.')),
    lastUpdated: Type.Optional(timestamp('Default: `createdAt`.')),
  },
  { description: `A thread; without its comments, ${SIZE_LIMIT}.` },
)
export type AnnotationInput = Static<typeof AnnotationInput>

/** The ids of all users that a new thread names. */
export const threadUserIds = ({ commentData, assignedTo }: AnnotationInput): string[] => [
  ...commentData.flatMap(commentUserIds),
  ...(assignedTo ? [assignedTo.userId] : []),
]

/** Makes the record of a new thread. Its author is the author of its first comment. */
export function newRecord(
  input: AnnotationInput,
  first: CommentRecord,
  people: People,
  organizationId: string,
): AnnotationRecord {
  const { suggestion, commentType = 'manual', status, assignedTo, priority } = input
  const type = input.type ?? (suggestion || commentType === 'suggestion' ? 'suggestion' : 'comment')
  return {
    type,
    commentType,
    from: first.from,
    status: status ? toStatus(status) : OPEN,
    ...(assignedTo && { assignedTo: people.complete(assignedTo) }),
    ...(priority && { priority: toPriority(priority) }),
    ...fieldsAsSent(input),
    visibilityConfig: toVisibility(input.visibility, first.from, organizationId),
    ...(suggestion && { suggestion: { ...suggestion, status: 'pending' as const } }),
    ...(first.agent && { agent: first.agent }),
    customList: input.customList ?? [],
  }
}

type SentField = 'location' | 'targetElement' | 'context' | 'pageInfo' | 'color' | 'sourceType' | 'contextId'
type SentFields = { [Field in SentField]?: AnnotationInput[Field] | null }

/** The fields that are stored as sent. */
export function fieldsAsSent({ location, targetElement, context, pageInfo, color, sourceType, contextId }: SentFields) {
  return {
    ...(location && { location }),
    ...(targetElement && { targetElement }),
    ...(context && { context: withAccessFields(context) }),
    ...(pageInfo && { pageInfo }),
    ...(color && { color }),
    ...(sourceType && { sourceType }),
    ...(contextId && { contextId }),
  }
}

/** What rules beyond the schema refuse of new threads at a path of the input. */
export function annotationIssues(path: string, annotations: AnnotationInput[]): Issue[] {
  const own = annotations.map(({ commentData: _, ...thread }) => thread)
  const sent = annotations.flatMap(({ commentData }, index) => commentsAt(`${path}[${index}].commentData`, commentData))
  const statuses = annotations.flatMap(({ status }, index) => statusIssues(`${path}[${index}].status`, status))
  return [...oversizedItems(path, own), ...statuses, ...commentIssues(sent)]
}
