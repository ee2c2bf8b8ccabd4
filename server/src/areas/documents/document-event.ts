import { internalEvent } from '../../platform/event.ts'

export interface DocumentDeleted {
  organizationKey: string
  organizationId: string
  documentKey: string
  documentId: string
}

/**
 * Documents are about to go, by themselves or with their folder; their rows are locked and still readable. The
 * deletion of an organization is `organizationsDeleted` alone.
 */
export const documentsDeleted = internalEvent<DocumentDeleted>('documentsDeleted')
