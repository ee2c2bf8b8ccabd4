import { memoize } from '../../platform/bulk.ts'
import type { ChangeContext } from '../../platform/event.ts'
import { on } from '../../platform/event.ts'
import { abridge, byteBudget } from '../comments/change/abridge.ts'
import type { CommentChange } from '../comments/change/change.ts'
import { commentChanged } from '../comments/change/comment-event.ts'
import type { CommentAnnotation } from '../comments/thread/annotation.ts'
import { type RecordingChanged, recordingsChanged } from '../recordings/recording-event.ts'
import { SYSTEM_ACTOR } from '../users/system-actor.ts'
import { serviceForChange, settingsForChange } from '../workspaces/setting/service-config.ts'
import { isTriggered } from '../workspaces/setting/trigger.ts'
import { abridgeChanges, boundPeople } from './abridge-activities.ts'
import type { ActivityInput } from './activity.ts'
import { activityService, isLoggedByDefault } from './activity-service.ts'
import { recordActivities } from './record-activities.ts'

interface LoggedChange {
  organization: { key: string; id: string }
  documentId: string
  /** The event type that the triggers name it by. */
  trigger: string
  /** The caller asked for the record, so triggers do not matter. */
  isAskedFor: boolean
  activity: ActivityInput
}

/**
 * Logs changes to comments and reactions. Those of one call repeat their thread, and what changed of it, within the
 * limits of its events, so a thread of 256 KiB is whole where few comments are added to it. They name 100,000 people.
 */
export const recordCommentActivities = on(
  commentChanged,
  (context, changes) => {
    const logged = changes.filter(isLogged)
    const total = Math.max(logged.length, logged[0]?.ofTotal ?? 0)
    const maxBytes = byteBudget(total)
    const targetOf = memoize((annotation: CommentAnnotation) => abridge(threadOf(annotation), maxBytes))
    const activities = logged.map((change) =>
      commentActivity({ ...change, changes: abridgeChanges(change.changes, maxBytes) }, targetOf),
    )
    return record(context, boundPeople(activities, total))
  },
  { ahead: settingsForChange },
)

const isLogged = ({ triggerActivities, goesWith }: CommentChange) =>
  triggerActivities !== false && goesWith !== 'organization'

/** Logs new and deleted recordings. Those of one call repeat them within the limits of its events. */
export const recordRecordingActivities = on(
  recordingsChanged,
  (context, changes) => {
    const logged = changes.filter(({ triggerActivities }) => triggerActivities !== false)
    const total = Math.max(logged.length, logged[0]?.ofTotal ?? 0)
    const activities = logged.map((change) => recordingActivity(change, byteBudget(total)))
    return record(context, boundPeople(activities, total))
  },
  { ahead: settingsForChange },
)

async function record(context: ChangeContext, changes: LoggedChange[]): Promise<void> {
  if (changes.length === 0) return
  const { db, tenant, secrets } = context
  const { isOn, config } = await serviceForChange(context, activityService)
  if (!isOn) return
  const due = changes.filter(
    ({ trigger, isAskedFor }) => isAskedFor || isTriggered(config.triggers, trigger, isLoggedByDefault(trigger)),
  )
  // Organizations are locked in key order, so that two changes of several cannot deadlock.
  const organizations = new Map(due.map(({ organization }) => [organization.key, organization]))
  for (const [key, organization] of [...organizations].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const own = due.filter((change) => change.organization.key === key)
    await recordActivities({ db, tenant, secrets }, organization, own)
  }
}

const MESSAGES: Record<CommentChange['action'] | RecordingChanged['action'], string> = {
  'comment_annotation.add': 'started a comment thread',
  'comment_annotation.delete': 'deleted a comment thread',
  'comment_annotation.assign': 'assigned a comment thread',
  'comment_annotation.status_change': 'changed the status of a comment thread',
  'comment_annotation.priority_change': 'changed the priority of a comment thread',
  'comment_annotation.custom_list_change': 'changed the lists of a comment thread',
  'comment_annotation.access_mode_change': 'changed who can see a comment thread',
  'comment_annotation.subscribe': 'subscribed to a comment thread',
  'comment_annotation.unsubscribe': 'unsubscribed from a comment thread',
  'comment_annotation.suggestion_accept': 'accepted a suggestion',
  'comment_annotation.suggestion_reject': 'rejected a suggestion',
  'comment.add': 'added a comment',
  'comment.update': 'updated a comment',
  'comment.delete': 'deleted a comment',
  'comment.reaction_add': 'reacted with {{icon}}',
  'comment.reaction_delete': 'took back the reaction {{icon}}',
  'recording.add': 'added a recording',
  'recording.delete': 'deleted a recording',
}

const messageOf = (action: keyof typeof MESSAGES) => `{{actionUser.name}} ${MESSAGES[action]}`

const commentMessageOf = ({ action, people }: CommentChange) =>
  action === 'comment_annotation.assign' && !people.assigned
    ? '{{actionUser.name}} unassigned a comment thread'
    : messageOf(action)

function commentActivity(change: CommentChange, targetOf: (annotation: CommentAnnotation) => object): LoggedChange {
  const { action, place, annotation, comment, reaction, actor, changes, triggerActivities } = change
  const isOfComment = comment !== null && action.startsWith('comment.')
  return {
    organization: { key: place.organizationKey, id: place.organizationId },
    documentId: place.documentId,
    // The triggers have no event for the deletion of a thread; it counts as that of its comments.
    trigger: action === 'comment_annotation.delete' ? 'comment.delete' : action,
    isAskedFor: triggerActivities === true,
    activity: {
      featureType: reaction ? 'reaction' : 'comment',
      actionType: action,
      actionUser: actor ?? SYSTEM_ACTOR,
      targetEntityId: annotation.annotationId,
      ...(isOfComment && { targetSubEntityId: String(comment.commentId) }),
      ...(Object.keys(changes).length > 0 && { changes }),
      entityData:
        reaction ?? (isOfComment ? comment : { ...targetOf(annotation), ...(comment && { comments: [comment] }) }),
      ...((reaction || isOfComment) && { entityTargetData: targetOf(annotation) }),
      displayMessageTemplate: commentMessageOf(change),
      ...(reaction && { displayMessageTemplateData: { icon: reaction.icon } }),
    },
  }
}

/** The thread without its comments. With them the log would grow with the square of the thread's length. */
function threadOf({ annotationId, type, from, assignedTo, status, priority, location, suggestion }: CommentAnnotation) {
  const optional = Object.entries({ assignedTo, priority, location, suggestion }).filter(
    ([, value]) => value !== undefined,
  )
  return { annotationId, type, from, status, ...Object.fromEntries(optional) }
}

function recordingActivity(change: RecordingChanged, maxBytes: number): LoggedChange {
  const { action, organizationKey, organizationId, documentId, recording, triggerActivities } = change
  return {
    organization: { key: organizationKey, id: organizationId },
    documentId,
    // The only trigger that recordings have.
    trigger: 'recorder.done',
    isAskedFor: triggerActivities === true,
    activity: {
      featureType: 'recorder',
      actionType: action,
      actionUser: (action === 'recording.add' && recording.from) || SYSTEM_ACTOR,
      targetEntityId: recording.annotationId,
      entityData: abridge(recording, maxBytes),
      displayMessageTemplate: messageOf(action),
    },
  }
}
