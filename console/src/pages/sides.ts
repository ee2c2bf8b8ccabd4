/** The two sides of a decision. */
export const SIDES = ['approve', 'reject'] as const
export type Taken = (typeof SIDES)[number] | 'neither'

/** The decisions that count for a side, as the service counts them. */
const APPROVING = ['approve', 'approved', 'accept', 'accepted', 'agree', 'endorse', 'document_approved']
const REJECTING = ['reject', 'rejected', 'disagree', 'document_rejected']

/** The side that a judgment takes in a suggestion. What a thread's status decides is called by its id. */
export function sideOf({ decision }: { decision: string }): Taken {
  const name = decision.trim().toLowerCase()
  if (APPROVING.includes(name)) return 'approve'
  return REJECTING.includes(name) ? 'reject' : 'neither'
}
