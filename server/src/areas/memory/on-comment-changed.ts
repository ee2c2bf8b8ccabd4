import { on } from '../../platform/event.ts'
import { newActivityId } from '../../platform/id.ts'
import type { CommentChange } from '../comments/change/change.ts'
import { commentChanged } from '../comments/change/comment-event.ts'
import type { Comment } from '../comments/thread/comment.ts'
import type { Agent } from '../comments/thread/comment-input.ts'
import { isIdentifier, objectOf } from './judgment/custom-data.ts'
import { decisionPolarity } from './judgment/decision-polarity.ts'
import type { DecidingAgent, Reviewer } from './judgment/judgment.ts'
import { type JudgmentDraft, recordJudgments } from './judgment/record-judgments.ts'

/** Review decisions on comment threads are remembered, whatever else the caller has switched off. */
export const rememberCommentDecisions = on(commentChanged, ({ db, tenant }, changes) =>
  recordJudgments(db, tenant, changes.flatMap(judgmentOf)),
)

/** Who decided where the caller did not say: whoever holds the API key. */
const API: Reviewer = { userId: 'api', name: 'API' }

function judgmentOf(change: CommentChange): JudgmentDraft[] {
  const decision = decisionOf(change)
  if (decision === null) return []
  const { place, annotation } = change
  const [first] = annotation.comments
  const { userId, name, email } = deciderOf(change)
  const latest = annotation.comments.findLast(({ from }) => from.userId === userId)
  const agent = agentOf(annotation, userId, latest)
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
      reviewer: { userId, name, ...(email !== undefined && { email }) },
      createdAt: null,
    },
  ]
}

/** Who decided: of a suggestion whom it names, which need not be the actor. */
function deciderOf({ action, annotation, actor }: CommentChange): Reviewer {
  const named = action === 'comment_annotation.status_change' ? {} : objectOf(annotation.suggestion?.resolvedBy)
  const { userId, name, email } = named
  if (!isIdentifier(userId) || userId === actor?.userId) return actor ?? API
  return {
    userId,
    name: isUpTo(512, name) ? name : userId,
    ...(isUpTo(320, email) && { email }),
  }
}

const isUpTo = (length: number, value: unknown): value is string =>
  typeof value === 'string' && Array.from(value).length <= length

function decisionOf({ action, newStatus }: CommentChange): string | null {
  if (action === 'comment_annotation.suggestion_accept') return 'approve'
  if (action === 'comment_annotation.suggestion_reject') return 'reject'
  if (action !== 'comment_annotation.status_change' || !newStatus) return null
  if (newStatus.type === 'ongoing') return 'in_progress'
  if (newStatus.type !== 'terminal') return null
  const value = newStatus.id.toLowerCase()
  return decisionPolarity(value) !== null || SIDELESS.has(value) ? value : 'resolve'
}

const SIDELESS = new Set(['comment', 'resolve', 'in_progress'])

const rejectReasonOf = ({ action, annotation }: CommentChange) =>
  action === 'comment_annotation.suggestion_reject' ? (annotation.suggestion?.rejectReason ?? '') : ''

function textOf(comment: Comment | undefined): string {
  return comment?.commentText || (comment?.commentHtml ?? '').replace(/<[^<>]*>/g, ' ').trim()
}

/** The agent that decided: the one that wrote what it gives as its reason, or the thread that it decides on. */
function agentOf(
  annotation: CommentChange['annotation'],
  decider: string,
  latest: Comment | undefined,
): DecidingAgent | null {
  const agent = latest?.agent ?? (annotation.from.userId === decider ? annotation.agent : undefined)
  return agent ? decidingAgent(agent) : null
}

function decidingAgent({ agentId, agentType, executionId, ...agentFields }: Agent): DecidingAgent {
  return {
    agentId,
    ...(agentType !== undefined && { agentType }),
    ...(executionId !== undefined && { executionId }),
    agentFields,
  }
}
