/** The organization of the example. Who deletes it has deleted the example. */
export const ORGANIZATION = 'example'

/** The people of the example: three reviewers, a designer and a writer. Their addresses reach nobody. */
export const PEOPLE = [
  { userId: 'nadia', name: 'Nadia Quist', email: 'nadia@larkwing.example' },
  { userId: 'tomas', name: 'Tomas Vale', email: 'tomas@larkwing.example' },
  { userId: 'june', name: 'June Abara', email: 'june@larkwing.example' },
  { userId: 'owen', name: 'Owen Farrow', email: 'owen@larkwing.example' },
  { userId: 'iris', name: 'Iris Holm', email: 'iris@larkwing.example' },
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
