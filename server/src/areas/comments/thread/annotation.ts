import { anyObject, mapOf, nullable, oneOf, type Static, Type } from '../../../platform/schema.ts'
import { Location } from '../../locations/location.ts'
import { User } from '../../users/user.ts'
import { Comment } from '../comment/comment.ts'
import { Agent } from '../comment/comment-input.ts'
import { Priority, Status } from './status.ts'
import { Visibility } from './visibility.ts'

/** A change that a thread proposes. Unknown fields are kept. */
export const Suggestion = Type.Object(
  {
    targetId: Type.Optional(Type.String({ description: 'Id of what would change.' })),
    targetType: Type.Optional(Type.String({ description: 'Kind of what would change.' })),
    oldValue: Type.Optional(Type.Unknown({ description: 'The present value.' })),
    newValue: Type.Optional(Type.Unknown({ description: 'The proposed value.' })),
    summary: Type.Optional(nullable(Type.String({ description: 'The change in words.' }))),
    status: Type.Optional(
      oneOf(['pending', 'accepted', 'rejected', 'stale', 'apply_failed'], 'Whether it was accepted or rejected.'),
    ),
    driftDetected: Type.Optional(Type.Boolean({ description: 'Whether the target has changed since.' })),
    rejectReason: Type.Optional(nullable(Type.String({ description: 'Why it was rejected.' }))),
    resolvedBy: Type.Optional(nullable(anyObject('Who decided.'))),
    resolvedAt: Type.Optional(nullable(Type.Integer({ description: 'When it was decided, in epoch milliseconds.' }))),
  },
  { additionalProperties: true },
)
export type Suggestion = Static<typeof Suggestion>

const recordFields = {
  type: oneOf(['comment', 'suggestion'], 'A suggestion proposes a change.'),
  commentType: Type.String(),
  from: User,
  assignedTo: Type.Optional(User),
  status: Status,
  statusUpdatedByUserId: Type.Optional(Type.String()),
  priority: Type.Optional(Priority),
  resolvedByUserId: Type.Optional(Type.String()),
  resolvedByUser: Type.Optional(User),
  location: Type.Optional(Location),
  targetElement: Type.Optional(anyObject('What the thread points at.')),
  context: Type.Optional(anyObject('Data of the caller.')),
  visibilityConfig: Visibility,
  suggestion: Type.Optional(Suggestion),
  agent: Type.Optional(Agent),
  customList: Type.Array(anyObject('An item of a list of the caller.')),
  pageInfo: Type.Optional(anyObject('The page that the thread is on.')),
  color: Type.Optional(Type.String()),
  sourceType: Type.Optional(Type.String()),
  contextId: Type.Optional(Type.String()),
}
const AnnotationRecord = Type.Object(recordFields)

/** The stored part of a thread, without its id, place and times. */
export type AnnotationRecord = Static<typeof AnnotationRecord>

const subscribers = mapOf(
  Type.Object({ user: User, type: oneOf(['auto', 'manual'], 'By taking part, or by wish.') }),
  'By a hash of the user id.',
)

/** A comment thread as returned and as events carry it. */
export const CommentAnnotation = Type.Object({
  annotationId: Type.String(),
  annotationNumber: Type.Integer({ description: 'Which thread of its document it was, from 1 on. It stays.' }),
  annotationIndex: Type.Integer({ description: 'The same.' }),
  ...recordFields,
  comments: Type.Array(Comment),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  lastUpdated: Type.Integer({ description: 'Epoch milliseconds.' }),
  locationId: nullable(Type.Integer()),
  metadata: Type.Object({ apiKey: Type.String(), documentId: Type.String(), organizationId: Type.String() }),
  subscribedUsers: subscribers,
  unsubscribedUsers: subscribers,
  involvedUserIds: Type.Array(Type.String(), { description: 'Authors, mentioned and assigned users.' }),
  mentionedUserIds: Type.Array(Type.String()),
  viewedByUserIds: Type.Array(Type.String()),
  reactionAnnotationIds: Type.Array(Type.String(), { description: 'Ids of the reactions to the thread as a whole.' }),
  commentsCount: Type.Integer({ description: 'How many comments the thread has.' }),
})
export type CommentAnnotation = Static<typeof CommentAnnotation>
