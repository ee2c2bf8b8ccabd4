/** The folders a ─ b ─ c ─ d, and e beside a. */
export const FOLDER_TREE = [
  { folderId: 'a' },
  { folderId: 'b', parentFolderId: 'a' },
  { folderId: 'c', parentFolderId: 'b' },
  { folderId: 'd', parentFolderId: 'c' },
  { folderId: 'e' },
]
