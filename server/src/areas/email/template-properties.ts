import type { Comment } from '../comments/comment/comment.ts'
import type { CommentAnnotation } from '../comments/thread/annotation.ts'
import { shortNameOf } from '../workspaces/setting/trigger.ts'
import type { EmailContent, EmailItem } from './email-item.ts'
import { headline, linkOf, textOf } from './email-text.ts'

/** The values of a customer's template. Texts are plain: the template escapes them (`{{…}}`). */
export type TemplateProperties = ReturnType<typeof templateProperties>

interface Envelope {
  subject: string
  fromName: string
  unsubscribe: string
}

/** Makes the values of the last activity, and of all of them in `activities`. */
export function templateProperties({ activities, to }: EmailContent, { subject, fromName, unsubscribe }: Envelope) {
  const last = activities.at(-1) ?? activities[0]
  return {
    ...propertiesOf(last, to.userId),
    subject,
    name: to.name,
    fromName,
    unsubscribeUrl: unsubscribe,
    activities: activities.map((item) => propertiesOf(item, to.userId)),
  }
}

function propertiesOf(item: EmailItem, userId: string) {
  const { annotation, details, eventType, document } = item
  const { comments: _, commentsCount, ...commentAnnotation } = annotation
  const { first, previous, latest } = commentsOf(item)
  const page = (annotation.pageInfo ?? {}) as { title?: unknown; deviceInfo?: unknown }
  return {
    actionType: shortNameOf(eventType) ?? eventType,
    headline: headline(item, userId),
    ...(first && { firstComment: first }),
    ...(previous && { prevComment: previous }),
    ...(latest && { latestComment: latest, message: latest.commentText, messageFromName: latest.from.name }),
    commentsCount,
    commentsCountMoreThanThree: commentsCount > 3,
    commentAnnotation: commentAnnotation satisfies Omit<CommentAnnotation, 'comments' | 'commentsCount'>,
    documentMetadata: { ...document.metadata, documentId: document.id, documentName: document.name },
    pageUrl: linkOf(item) ?? '',
    pageTitle: page.title ?? document.name,
    deviceInfo: page.deviceInfo ?? {},
    ...(details.actor && {
      fromUser: details.actor,
      fromEmail: details.actor.email ?? '',
      photoUrl: details.actor.photoUrl ?? '',
    }),
  }
}

/** The first comment of the thread; the one that the activity is about, or the last; and the one before that. */
function commentsOf({ annotation: { comments }, comment }: EmailItem) {
  const latest = comment ?? comments.at(-1)
  const previous = latest && comments[comments.indexOf(latest) - 1]
  return { first: shown(comments[0]), previous: shown(previous), latest: shown(latest) }
}

const shown = (comment: Comment | undefined) =>
  comment && { commentId: comment.commentId, commentText: textOf(comment), from: comment.from }
