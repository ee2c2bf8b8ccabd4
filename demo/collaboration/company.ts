/** The size of the company; documents, users and comments are divided among the organizations. */
export interface Sizes {
  organizations: number
  folders: number
  documents: number
  users: number
  comments: number
}

export const COMPANY: Sizes = { organizations: 3, folders: 200, documents: 2_000, users: 1_000, comments: 10_000 }

export type Role = 'viewer' | 'editor'

// An alias: an interface is not assignable where custom metadata may follow.
export type Folder = {
  folderId: string
  folderName: string
  parentFolderId: string
}

export interface Document {
  documentId: string
  documentName: string
  department: string
  accessType?: 'restricted'
  folderId?: string
}

export interface User {
  userId: string
  name: string
  email: string
}

/** Access to one document or folder, granted in addition to membership. */
export interface Grant {
  userId: string
  role: Role
  type: 'document' | 'folder'
  id: string
}

export interface Comment {
  commentId: number
  from: User
  commentText: string
}

export interface Thread {
  annotationId: string
  document: Document
  locationId: string
  comments: Comment[]
  mentioned?: User
  assigned?: User
  priority?: 'P0'
  /** Resolved by its author. */
  resolved: boolean
  /** The users who reacted to the first comment. */
  reactedBy?: User
}

/** Everything to write for one organization; the checks compare with it. */
export interface Organization {
  organizationId: string
  organizationName: string
  folders: Folder[]
  documents: Document[]
  users: User[]
  roles: Map<string, Role>
  /** A member of no organization, who may view one restricted document. */
  guest: User
  grants: Grant[]
  groups: Map<string, User[]>
  threads: Thread[]
  recorded: Document[]
}

const DEPARTMENTS = ['design', 'engineering', 'finance', 'legal']
const NAMES = ['Amara', 'Bela', 'Chen', 'Dara', 'Emil', 'Farah', 'Goran', 'Hana', 'Ines', 'Jonas']
const COMMENTS_OF_A_THREAD = 5
const THREADS_OF_A_DOCUMENT = 10

/**
 * Makes the same company for the same sizes. Every person of a thread is a different user, which takes 12 users or
 * more.
 */
export function planCompany(sizes: Sizes): Organization[] {
  return Array.from({ length: sizes.organizations }, (_, index) => {
    const share = (total: number) => Math.floor((total + index) / sizes.organizations)
    return planOrganization(`northwind-${index + 1}`, {
      folders: share(sizes.folders),
      documents: share(sizes.documents),
      users: share(sizes.users),
      comments: share(sizes.comments),
    })
  })
}

function planOrganization(organizationId: string, sizes: Omit<Sizes, 'organizations'>): Organization {
  const folders = listOf(sizes.folders, (i) => ({
    folderId: `${organizationId}-folder-${i}`,
    folderName: `Folder ${i}`,
    parentFolderId: i < 3 ? 'root' : `${organizationId}-folder-${Math.floor(i / 3) - 1}`,
  }))
  const documents = listOf(sizes.documents, (i) => planDocument(organizationId, folders, i))
  const users = listOf(sizes.users, (i) => planUser(organizationId, i))
  const guest = { ...planUser(organizationId, sizes.users), userId: `${organizationId}-guest` }
  return {
    organizationId,
    organizationName: `Northwind ${organizationId.split('-')[1]}`,
    folders,
    documents,
    users,
    roles: new Map(users.map(({ userId }, i) => [userId, i % 3 === 0 ? 'viewer' : 'editor'])),
    guest,
    grants: planGrants(folders, documents, users, guest),
    groups: new Map(DEPARTMENTS.map((id, n) => [id, users.filter((_, i) => i % DEPARTMENTS.length === n)])),
    threads: planThreads(organizationId, documents, users, sizes.comments),
    recorded: documents.filter((_, i) => i % 20 === 0),
  }
}

function planDocument(organizationId: string, folders: Folder[], i: number): Document {
  return {
    documentId: `${organizationId}-document-${i}`,
    documentName: `Document ${i}`,
    department: at(DEPARTMENTS, i),
    ...(i % 7 === 3 && { accessType: 'restricted' as const }),
    ...(i % 10 !== 0 && { folderId: at(folders, i).folderId }),
  }
}

function planUser(organizationId: string, i: number): User {
  const userId = `${organizationId}-user-${i}`
  return { userId, name: `${at(NAMES, i)} ${i}`, email: `${userId}@northwind.example` }
}

function planGrants(folders: Folder[], documents: Document[], users: User[], guest: User): Grant[] {
  const closed = documents.find(({ accessType }) => accessType === 'restricted') ?? at(documents, 0)
  return [
    { userId: guest.userId, role: 'viewer', type: 'document', id: closed.documentId },
    ...users.flatMap(({ userId }, i): Grant[] => [
      ...(i % 20 === 0
        ? [{ userId, role: 'editor' as const, type: 'document' as const, id: at(documents, i + 3).documentId }]
        : []),
      ...(i % 20 === 1
        ? [{ userId, role: 'viewer' as const, type: 'folder' as const, id: at(folders, i).folderId }]
        : []),
    ]),
  ]
}

function planThreads(organizationId: string, documents: Document[], users: User[], comments: number): Thread[] {
  return listOf(Math.ceil(comments / COMMENTS_OF_A_THREAD), (t) => {
    const person = (n: number) => at(users, t * 11 + n)
    const annotationId = `${organizationId}-thread-${t}`
    const mentioned = t % 4 === 0 ? person(6) : undefined
    const length = Math.min(COMMENTS_OF_A_THREAD, comments - t * COMMENTS_OF_A_THREAD)
    return {
      annotationId,
      document: at(documents, Math.floor(t / THREADS_OF_A_DOCUMENT)),
      locationId: `section-${t % 3}`,
      comments: listOf(length, (n) => ({
        commentId: 100_000 + n,
        from: person(n),
        commentText: `Comment ${n} of ${annotationId}${n === 0 && mentioned ? `, for {{${mentioned.userId}}}` : ''}`,
      })),
      ...(mentioned && { mentioned }),
      ...(t % 8 === 0 && { assigned: person(7) }),
      ...(t % 6 === 0 && { priority: 'P0' as const }),
      resolved: t % 5 === 0,
      ...(t % 10 === 0 && { reactedBy: person(8) }),
    }
  })
}

const listOf = <T>(length: number, item: (index: number) => T): T[] => Array.from({ length }, (_, i) => item(i))

/** The item at an index; after the last item it continues with the first. */
export const at = <T>(items: readonly T[], index: number): T => items[index % items.length] as T
