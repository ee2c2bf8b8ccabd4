import { internalEvent } from '../../platform/event.ts'

export interface DocumentDeleted {
  organizationKey: string
  organizationId: string
  documentKey: string
  documentId: string
}

/**
 * Documents are about to be deleted, alone or with their folder. Their rows are locked and can still be read. The
 * deletion of an organization emits `organizationsDeleted` only.
 */
export const documentsDeleted = internalEvent<DocumentDeleted>('documentsDeleted')
