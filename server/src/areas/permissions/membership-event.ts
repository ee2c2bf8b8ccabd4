import { internalEvent } from '../../platform/event.ts'

/** A user is no longer a member of an organization. */
export interface MembershipEnded {
  organizationKey: string
  userKey: string
}

/** Users were removed from organizations in this transaction; they receive nothing more from them. */
export const usersRemoved = internalEvent<MembershipEnded>('usersRemoved')

/** Memberships have ended in this transaction; what depends on them must end too. */
export const membershipsEnded = internalEvent<MembershipEnded>('membershipsEnded')
