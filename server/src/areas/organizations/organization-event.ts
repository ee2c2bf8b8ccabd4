import { internalEvent } from '../../platform/event.ts'

export interface OrganizationDeleted {
  organizationKey: string
  organizationId: string
}

/**
 * Organizations are about to be deleted with every row that references them. Their rows are locked and can still be
 * read.
 */
export const organizationsDeleted = internalEvent<OrganizationDeleted>('organizationsDeleted')
