const ALIASES = new Map([
  ['approved', 'approve'],
  ['rejected', 'reject'],
])
const APPROVE = new Set(['approve', 'accept', 'accepted', 'agree', 'endorse', 'document_approved'])
const REJECT = new Set(['reject', 'disagree', 'document_rejected'])

/** The canonical decisions that approve, those that reject, and both. */
export const APPROVING_DECISIONS = [...APPROVE]
export const REJECTING_DECISIONS = [...REJECT]
export const SIDED_DECISIONS = [...APPROVE, ...REJECT]

/** The sides that a decision may take. */
export const SIDES: ['approve', 'reject'] = ['approve', 'reject']
export type Side = (typeof SIDES)[number]

/** The canonical decisions that take a side. */
export const decisionsOf = (side: Side): string[] => (side === 'approve' ? APPROVING_DECISIONS : REJECTING_DECISIONS)

/**
 * The value by which a decision is filtered and counted: lower case, `approved` as `approve`, `rejected` as `reject`.
 */
export function canonicalDecision(decision: string): string {
  const value = decision.trim().toLowerCase()
  return ALIASES.get(value) ?? value
}

/** The side that a decision takes in a suggestion; null without one, such as a comment or a resolution. */
export function decisionPolarity(decision: string): Side | null {
  const value = canonicalDecision(decision)
  if (APPROVE.has(value)) return 'approve'
  return REJECT.has(value) ? 'reject' : null
}
