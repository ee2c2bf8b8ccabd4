import { internalEvent } from '../../platform/event.ts'

export interface FolderDeleted {
  organizationKey: string
  organizationId: string
  folderKey: string
  folderId: string
}

/** Folders, subfolders included, are about to go with their documents; their rows are locked and still readable. */
export const foldersDeleted = internalEvent<FolderDeleted>('foldersDeleted')
