import { on } from '../../platform/event.ts'
import { newActivityId } from '../../platform/id.ts'
import type { CommentChange } from '../comments/change/change.ts'
import { commentChanged } from '../comments/change/comment-event.ts'
import type { Comment } from '../comments/comment/comment.ts'
import { textOfComment } from '../comments/comment/markup-text.ts'
import type { Status } from '../comments/thread/status.ts'
import { isIdentifier, objectOf } from './judgment/custom-data.ts'
import { decisionPolarity } from './judgment/decision-polarity.ts'
import { type DecidingAgent, decidingAgentOf, type Reviewer, reviewerOf } from './judgment/judgment.ts'
import { deleteJudgmentsOfThreads, type JudgmentDraft, recordJudgments } from './judgment/record-judgments.ts'

/** Records review decisions on comment threads, whatever else the caller has switched off. */
export const rememberCommentDecisions = on(commentChanged, async ({ db, tenant, wake }, changes) => {
  const drafts = changes.flatMap(judgmentOf)
  if (drafts.length === 0) return
  await recordJudgments(db, tenant, drafts)
  wake()
})

/** Deletes the judgments from statuses and suggestions of deleted threads. */
export const forgetThreadDecisions = on(commentChanged, async ({ db, tenant }, changes) => {
  const gone = changes.filter(({ action }) => action === 'comment_annotation.delete')
  const threads = gone.map(({ place, annotationKey }) => ({
    organizationKey: place.organizationKey,
    key: annotationKey,
  }))
  await deleteJudgmentsOfThreads(db, tenant, threads)
})

function judgmentOf(change: CommentChange): JudgmentDraft[] {
  const decision = decisionOf(change)
  if (decision === null) return []
  const { place, annotation } = change
  const [first] = annotation.comments
  const reviewer = deciderOf(change)
  const latest = annotation.comments.findLast(({ from }) => from.userId === reviewer?.userId)
  const agent = agentOf(annotation, reviewer?.userId, latest)
  return [
    {
      recordId: newActivityId(),
      organizationKey: place.organizationKey,
      documentKey: place.documentKey,
      annotationId: annotation.annotationId,
      decision,
      reasoning: rejectReasonOf(change) || textOf(latest),
      content: textOf(first) || (annotation.suggestion?.summary ?? ''),
      contentUserId: (first?.from ?? annotation.from).userId,
      contentType: annotation.type,
      confidence: 1,
      judgeType: agent ? 'agent' : 'human',
      agent,
      reviewer,
      createdAt: null,
      source: 'thread',
    },
  ]
}

/** The person who decided: for a suggestion the named one, who need not be the actor. Null if nobody is named. */
function deciderOf({ action, annotation, actor }: CommentChange): Reviewer | null {
  const named =
    action !== 'comment_annotation.suggestion_accept' && action !== 'comment_annotation.suggestion_reject'
      ? {}
      : objectOf(annotation.suggestion?.resolvedBy)
  const { userId, name, email } = named
  if (!isIdentifier(userId) || userId === actor?.userId) return actor && reviewerOf(actor)
  return {
    userId,
    name: isUpTo(512, name) ? name : userId,
    ...(isUpTo(320, email) && { email }),
  }
}

const isUpTo = (length: number, value: unknown): value is string =>
  typeof value === 'string' && Array.from(value).length <= length

function decisionOf(change: CommentChange): string | null {
  const { action, annotation } = change
  if (action === 'comment_annotation.add') return statusDecision(annotation.status, ['terminal'])
  if (action === 'comment_annotation.suggestion_accept') return 'approve'
  if (action === 'comment_annotation.suggestion_reject') return 'reject'
  if (action !== 'comment_annotation.status_change' || !change.newStatus) return null
  return statusDecision(change.newStatus, ['terminal', 'ongoing'])
}

/** The decision that a status of one of these types stands for; null if it has another type. */
function statusDecision({ id, type }: Status, types: Status['type'][]): string | null {
  if (!types.includes(type) || type === 'default') return null
  if (type === 'ongoing') return 'in_progress'
  const value = id.toLowerCase()
  return decisionPolarity(value) !== null || SIDELESS.has(value) ? value : 'resolve'
}

const SIDELESS = new Set(['comment', 'resolve', 'in_progress'])

const rejectReasonOf = ({ action, annotation }: CommentChange) =>
  action === 'comment_annotation.suggestion_reject' ? (annotation.suggestion?.rejectReason ?? '') : ''

const textOf = (comment: Comment | undefined): string => (comment ? textOfComment(comment) : '')

/** The agent that decided: the author of the comment with the reason, or the author of the thread. */
function agentOf(
  annotation: CommentChange['annotation'],
  decider: string | undefined,
  latest: Comment | undefined,
): DecidingAgent | null {
  const agent = latest?.agent ?? (annotation.from.userId === decider ? annotation.agent : undefined)
  return decidingAgentOf(agent)
}
