import { type Emit, internalEvent } from '../../platform/event.ts'
import { valueAt } from '../../platform/json-value.ts'
import type { ActivityParts } from './activity.ts'
import type { Organization, WrittenEntry } from './log/entry.ts'

/** A decision that an activity record contains; the decision memory records it. */
export interface ActivityDecision {
  organizationKey: string
  organizationId: string
  documentId: string
  activityId: string
  timestamp: number
  decision: string
  reasoning: string | null
  actor: { userId: string; name?: string; email?: string }
  /** The record: featureType, actionType and ids, its changes and snapshots. */
  record: Record<string, unknown>
  content: Record<string, unknown>
}

/** Records that callers wrote or updated and whose `entityData.decision` or `changes.decision.to` is a string. */
export const activitiesRecorded = internalEvent<ActivityDecision>('activitiesRecorded')

/** A record without a decision: it was deleted, or updated or overwritten without one. It may never have had one. */
export interface DecisionWithdrawn {
  organizationKey: string
  activityId: string
}

/** Records were deleted, or written again without a decision. */
export const decisionsWithdrawn = internalEvent<DecisionWithdrawn>('decisionsWithdrawn')

/** Emits the decisions among records just written, and the records that no longer have one. */
export async function emitDecisions(emit: Emit, organization: Organization, written: WrittenEntry[]): Promise<void> {
  const decided = written.map((entry) => ({ entry, decision: decisionOf(entry.content as ActivityParts['content']) }))
  await emit(
    decisionsWithdrawn,
    decided.flatMap(({ entry: { id, kind }, decision }) =>
      decision !== undefined || kind === 'add' || id === null
        ? []
        : [{ organizationKey: organization.key, activityId: id }],
    ),
  )
  await emit(
    activitiesRecorded,
    decided.flatMap(({ entry, decision }) =>
      decision === undefined || entry.content === null ? [] : [toDecision(organization, entry, decision)],
    ),
  )
}

function toDecision(organization: Organization, entry: WrittenEntry, decision: string): ActivityDecision {
  const content = entry.content as NonNullable<ActivityParts['content']>
  return {
    organizationKey: organization.key,
    organizationId: organization.id,
    documentId: entry.documentId ?? '',
    activityId: entry.id ?? '',
    timestamp: entry.timestamp ?? 0,
    decision,
    reasoning: textAt(content, 'entityData', 'reasoning') ?? null,
    actor: entry.actor as ActivityDecision['actor'],
    record: entry.record,
    content,
  }
}

const decisionOf = (content: ActivityParts['content']) =>
  textAt(content, 'entityData', 'decision') ?? textAt(content, 'changes', 'decision', 'to')

function textAt(value: unknown, ...path: string[]): string | undefined {
  const text = valueAt(value, path)
  return typeof text === 'string' ? text : undefined
}
