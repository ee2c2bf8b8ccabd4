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

export interface DocumentMigrated {
  organizationKey: string
  oldKey: string
  newKey: string
  newDocumentId: string
}

/**
 * A document gets another id, and so another key. Rows of both keys exist until the transaction's end; each area moves
 * what it holds.
 */
export const documentMigrated = internalEvent<DocumentMigrated>('documentMigrated')
