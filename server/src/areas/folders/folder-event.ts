import { internalEvent } from '../../platform/event.ts'

export interface FolderDeleted {
  organizationKey: string
  organizationId: string
  folderKey: string
  folderId: string
}

/**
 * Folders and their subfolders are about to be deleted with their documents. Their rows are locked and can still be
 * read.
 */
export const foldersDeleted = internalEvent<FolderDeleted>('foldersDeleted')
