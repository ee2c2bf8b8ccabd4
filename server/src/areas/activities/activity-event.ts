import { type Emit, internalEvent } from '../../platform/event.ts'
import type { Parts } from './activity.ts'
import type { Organization, Written } from './log/entry.ts'

/** A decision that an activity record tells of (contract: decision memory). */
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

/** Tells of the decisions among records just written. */
export const emitDecisions = (emit: Emit, organization: Organization, written: Written[]): Promise<void> =>
  emit(
    activitiesRecorded,
    written.flatMap((entry) => {
      const content = entry.content as Parts['content']
      const decision = decisionOf(content)
      if (content === null || decision === undefined) return []
      return [
        {
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
        },
      ]
    }),
  )

const decisionOf = (content: Parts['content']) =>
  textAt(content, 'entityData', 'decision') ?? textAt(content, 'changes', 'decision', 'to')

function textAt(value: unknown, ...steps: string[]): string | undefined {
  let at = value
  for (const step of steps) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    at = (at as Record<string, unknown>)[step]
  }
  return typeof at === 'string' ? at : undefined
}
