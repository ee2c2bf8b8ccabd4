/** The texts that change organizations, folders and documents. */
export const placeTexts = {
  places: {
    addOrganization: 'Add an organization',
    addFolder: 'Add a folder',
    addDocument: 'Add a document',
    added: (name: string) => `${name} is added.`,
    folder: 'Folder',
    folderId: 'Folder id',
    idHint: 'the id that your product has for it',
    rename: 'Rename',
    renamed: (name: string) => `The name is ${name} now.`,
    move: 'Move',
    moveTo: 'Folder (empty: the top of the organization)',
    moveDocument: 'Where the other folder is more open, the document keeps the access type that it has.',
    moved: 'It is moved.',
    changeId: 'Change the id',
    changeIdHelp: (id: string) =>
      `Everything in the document comes along. Your product must use the new id from then on: ${id} names no document then.`,
    newId: 'New id',
    idChanged: (id: string) => `The id is ${id} now.`,
    idFailed: 'Nothing has changed: a document has taken the new id meanwhile, or this one is gone or too large.',
    access: 'Change the access type',
    accessTypes: {
      public: 'public: anybody who was not removed',
      organizationPrivate: 'organizationPrivate: the members of the organization, and those with a grant',
      restricted: 'restricted: only those with a grant here or on a folder above',
    },
    asAbove: 'that of the folder above; at the top, that of new places',
    ofItsOwn: 'It keeps this access type from now on, whatever folder it is in.',
    accessChanged: 'The access type is changed.',
    disabled: (name: string) => `Checks of access admit nobody to ${name} now. Calls that check no user go on.`,
    enabled: (name: string) => `Checks of access admit people to ${name} again.`,
    deleteOrganization: (name: string) =>
      `Deletes ${name} and everything in it: folders, documents, threads, activities and judgments. This cannot be undone.`,
    deleteFolder: (name: string) =>
      `Deletes ${name} with the folders, documents and threads in it. This cannot be undone.`,
    deleteDocument: (name: string) => `Deletes ${name} with its threads. This cannot be undone.`,
    deleted: (name: string) => `${name} is deleted.`,
    unknown: 'There is no such document here.',
    unknownNext: 'It may be deleted, or belong to another organization.',
  },
}
