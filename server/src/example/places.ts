/** The organization of the example. Who deletes it has deleted the example. */
export const ORGANIZATION = 'example'

/**
 * The people of the example: three reviewers, a designer and a writer. They have no addresses, so nobody is emailed even
 * where emails are switched on.
 */
export const PEOPLE = [
  { userId: 'nadia', name: 'Nadia Quist' },
  { userId: 'tomas', name: 'Tomas Vale' },
  { userId: 'june', name: 'June Abara' },
  { userId: 'owen', name: 'Owen Farrow' },
  { userId: 'iris', name: 'Iris Holm' },
]

export const REVIEWERS = ['nadia', 'tomas', 'june']

export const FOLDERS = [
  { folderId: 'website', folderName: 'Website' },
  { folderId: 'campaigns', folderName: 'Campaigns' },
  { folderId: 'spring', folderName: 'Spring', parentFolderId: 'campaigns' },
]

/** The documents by their folder. */
export const DOCUMENTS = {
  website: [
    { documentId: 'home-page', documentName: 'Home page' },
    { documentId: 'checkout', documentName: 'Checkout' },
    { documentId: 'help-page', documentName: 'Help page: pause or cancel' },
  ],
  spring: [
    { documentId: 'newsletter', documentName: 'Spring newsletter' },
    { documentId: 'poster', documentName: 'Spring poster', accessType: 'restricted' },
  ],
}
