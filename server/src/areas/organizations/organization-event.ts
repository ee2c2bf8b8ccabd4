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

/**
 * Organizations with much in them are deleted: from the commit on, nobody sees them, and jobs remove their threads,
 * then the rest. Each is locked and can still be read by its key.
 */
export const organizationsRetired = internalEvent<OrganizationDeleted>('organizationsRetired')

/** The threads of retired organizations are removed. */
export const organizationsEmptied = internalEvent<OrganizationDeleted>('organizationsEmptied')
