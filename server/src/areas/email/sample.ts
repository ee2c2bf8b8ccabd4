import { oneOf } from '../../platform/schema.ts'
import type { Comment } from '../comments/comment/comment.ts'
import type { CommentAnnotation } from '../comments/thread/annotation.ts'
import { OPEN } from '../comments/thread/status.ts'
import { PUBLIC } from '../comments/thread/visibility.ts'
import { initialOf, type User } from '../users/user.ts'
import type { EmailKind } from './email-activity.ts'
import type { EmailContent } from './email-item.ts'

const KINDS: EmailKind[] = ['mention', 'thread', 'reply', 'assignment', 'status', 'priority']

/** The kind of email that a preview or a test asks for. */
export const kindInput = oneOf(KINDS, 'What the email tells of. Default: `mention`.')

const ADA: User = { userId: 'sample-ada', name: 'Ada Lovelace', email: 'ada@example.com', initial: 'AL' }
const DOCUMENT = { id: 'sample-document', name: 'A sample document', metadata: {} }
const EVENT_TYPES: Record<EmailKind, string> = {
  mention: 'comment.add',
  thread: 'comment_annotation.add',
  reply: 'comment.add',
  assignment: 'comment_annotation.assign',
  status: 'comment_annotation.status_change',
  priority: 'comment_annotation.priority_change',
}

/** The content of an email about a thread that nobody wrote, to see how one looks and whether it arrives. */
export function sampleContent(
  email: Pick<EmailContent, 'apiKey' | 'id' | 'organizationKey' | 'userKey' | 'to'>,
  kind: EmailKind = 'mention',
): EmailContent {
  const { apiKey, id, organizationKey, userKey, to } = email
  const reader: User = { userId: to.userId, name: to.name, email: to.address, initial: initialOf(to.name) }
  const comment = sampleComment(reader)
  return {
    apiKey,
    id,
    organizationKey,
    userKey,
    to,
    activities: [
      {
        kind,
        eventType: EVENT_TYPES[kind],
        details: { actor: ADA, assignee: reader, status: 'Resolved', priority: 'High' },
        annotation: sampleThread(apiKey, reader, comment),
        comment,
        document: DOCUMENT,
      },
    ],
  }
}

const sampleComment = (reader: User): Comment => ({
  commentId: 1,
  type: 'text',
  status: 'added',
  from: ADA,
  commentText: `This is a sample, {{${reader.userId}}}. Nobody wrote it.`,
  isCommentTextAvailable: true,
  attachments: [],
  recorders: [],
  customList: [],
  taggedUserContacts: [{ userId: reader.userId, contact: reader }],
  to: [reader],
  toOrganizationUserGroup: [],
  createdAt: 0,
  lastUpdated: 0,
  reactionAnnotationIds: [],
})

const sampleThread = (apiKey: string, reader: User, comment: Comment): CommentAnnotation => ({
  annotationId: 'sample-thread',
  annotationNumber: 1,
  annotationIndex: 1,
  type: 'comment',
  commentType: 'area',
  from: ADA,
  assignedTo: reader,
  status: OPEN,
  visibilityConfig: PUBLIC,
  customList: [],
  comments: [comment],
  createdAt: 0,
  lastUpdated: 0,
  locationId: null,
  metadata: { apiKey, documentId: DOCUMENT.id, organizationId: 'sample-organization' },
  subscribedUsers: {},
  unsubscribedUsers: {},
  involvedUserIds: [ADA.userId, reader.userId],
  mentionedUserIds: [reader.userId],
  viewedByUserIds: [],
  reactionAnnotationIds: [],
  commentsCount: 1,
})
