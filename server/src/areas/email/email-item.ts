import type { Comment } from '../comments/comment/comment.ts'
import type { CommentAnnotation } from '../comments/thread/annotation.ts'
import type { Claimed } from './claim.ts'
import type { ActivityDetails, EmailActivity } from './email-activity.ts'

/** The content of an email, as of now. */
export interface EmailContent extends Pick<Claimed, 'apiKey' | 'id' | 'organizationKey' | 'userKey'> {
  to: { userId: string; name: string; address: string }
  activities: [EmailItem, ...EmailItem[]]
}

/** An activity with the thread as it is now. */
export interface EmailItem extends Pick<EmailActivity, 'eventType' | 'kind'> {
  details: ActivityDetails
  /** It has at most 100 people, and the first comment, the last, `comment`, and the one before each of these. */
  annotation: CommentAnnotation
  /** The comment that it is about; null: it is about the thread. */
  comment: Comment | null
  document: { id: string; name: string; metadata: Record<string, unknown> }
}
