import { abridge } from '../comments/change/abridge.ts'
import type { CommentChange } from '../comments/change/change.ts'
import { shortNameOf } from '../workspaces/setting/trigger.ts'
import type { NotificationRecord } from './notification.ts'
import { render } from './template.ts'

const HEADLINES: Record<CommentChange['action'], string> = {
  'comment_annotation.add': 'started a thread',
  'comment_annotation.delete': 'deleted a thread',
  'comment_annotation.assign': 'assigned a thread',
  'comment_annotation.status_change': 'changed the status of a thread to {status}',
  'comment_annotation.priority_change': 'changed the priority of a thread to {priority}',
  'comment_annotation.access_mode_change': 'changed who sees a thread',
  'comment_annotation.custom_list_change': 'changed the list of a thread',
  'comment_annotation.subscribe': 'subscribed to a thread',
  'comment_annotation.unsubscribe': 'unsubscribed from a thread',
  'comment_annotation.suggestion_accept': 'accepted a suggestion',
  'comment_annotation.suggestion_reject': 'rejected a suggestion',
  'comment.add': 'replied in a thread',
  'comment.update': 'edited a comment',
  'comment.delete': 'deleted a comment',
  'comment.reaction_add': 'reacted {icon} to a comment',
  'comment.reaction_delete': 'took back the reaction {icon} to a comment',
}

/** What the change did, in words. An update may also take back an assignee or a priority. */
function headlineOf({ action, people, newPriority }: CommentChange): string {
  if (action === 'comment_annotation.assign' && !people.assigned) return 'unassigned a thread'
  if (action === 'comment_annotation.priority_change' && !newPriority) return 'removed the priority of a thread'
  return HEADLINES[action]
}

type Repeated = Pick<CommentChange['annotation'], 'location' | 'context'>

/** What each notification of a thread repeats of it, abridged. Where it is and who may see it stay whole. */
export function repeatedOf({ location, context }: Repeated, maxBytes: number): Repeated {
  const { id, locationName } = location ?? {}
  return {
    ...(location && {
      location: {
        // What it may drop of the declared fields stands here again.
        ...(abridge(location, maxBytes) as object),
        ...(id !== undefined && { id }),
        ...(locationName !== undefined && { locationName }),
      },
    }),
    ...(context && {
      context: { ...abridge(context, maxBytes), ...(context.access !== undefined && { access: context.access }) },
    }),
  }
}

/**
 * Makes the record of a notification about a change. It does not copy the comment's text, which is read at its source.
 */
export function commentNotification(eventType: string, change: CommentChange, repeated: Repeated): NotificationRecord {
  const { annotation, comment, actor, newStatus, newPriority, reaction, visibility } = change
  const headline = headlineOf(change)
  const values = {
    ...(newStatus && { status: newStatus.name }),
    ...(newPriority && { priority: newPriority.name }),
    ...(reaction && { icon: reaction.icon }),
  }
  const actionType = shortNameOf(eventType)
  return {
    notificationSource: 'comment',
    ...(actionType !== undefined && { actionType }),
    ...(actor && { actionUser: actor }),
    displayHeadlineMessageTemplate: `${actor ? '{actionUser}' : 'Someone'} ${headline}`,
    displayHeadlineMessageTemplateData: { ...values, actionMessage: render(headline, values) },
    notificationSourceData: {
      annotationId: annotation.annotationId,
      ...(comment && { commentId: comment.commentId }),
      ...(visibility.type !== 'public' && { visibility: visibility.type }),
    },
    ...repeated,
  }
}
