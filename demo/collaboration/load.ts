import type { Api } from '../../client/src/index.ts'
import type { Organization, Thread } from './company.ts'

/** Writes one kind of record of an organization; returns how many it wrote. */
export type Loader = (client: Api, organization: Organization) => Promise<number>

const BATCH = 1_000

/** The kinds of records, in this order. */
export const LOADERS: [what: string, load: Loader][] = [
  ['organizations', addOrganization],
  ['folders', addFolders],
  ['documents', addDocuments],
  ['users', addUsers],
  ['grants on single documents and folders', addGrants],
  ['members of user groups', addGroups],
  ['comments', addComments],
  ['resolved threads', resolveThreads],
  ['reactions', addReactions],
  ['recordings', addRecordings],
  ['notifications of our own', addNotifications],
  ['activities of our own', addActivities],
]

async function addOrganization(client: Api, { organizationId, organizationName }: Organization): Promise<number> {
  await client.organizations.addOrganizations({ organizations: [{ organizationId, organizationName, plan: 'team' }] })
  return 1
}

async function addFolders(client: Api, { organizationId, folders }: Organization): Promise<number> {
  for (const batch of batches(folders)) await client.folders.addFolders({ organizationId, folders: batch })
  return folders.length
}

async function addDocuments(client: Api, { organizationId, documents }: Organization): Promise<number> {
  for (const [folderId, own] of groupBy(documents, (document) => document.folderId)) {
    const records = own.map(({ folderId: _, ...document }) => document)
    for (const batch of batches(records)) {
      await client.documents.addDocuments({ organizationId, ...(folderId && { folderId }), documents: batch })
    }
  }
  return documents.length
}

async function addUsers(client: Api, { organizationId, users, roles }: Organization): Promise<number> {
  const members = users.map((user) => ({ ...user, accessRole: roles.get(user.userId) ?? 'editor' }))
  for (const batch of batches(members)) await client.users.addUsers({ organizationId, users: batch })
  return users.length
}

async function addGrants(client: Api, { organizationId, users, guest, grants }: Organization): Promise<number> {
  for (const { userId, role, type, id } of grants) {
    if (userId === guest.userId) {
      const resources = [{ type, id, organizationId, accessRole: role }]
      await client.permissions.addPermissions({ user: { userId }, permissions: { resources } })
    } else {
      const user = users.find((each) => each.userId === userId)
      const level = type === 'document' ? { documentId: id } : { folderId: id }
      if (user) await client.users.addUsers({ organizationId, ...level, users: [{ ...user, accessRole: role }] })
    }
  }
  return grants.length
}

async function addGroups(client: Api, { organizationId, groups, users }: Organization): Promise<number> {
  const organizationUserGroups = [...groups.keys()].map((groupId) => ({ groupId, groupName: `Group ${groupId}` }))
  await client.userGroups.addUserGroups({ organizationId, organizationUserGroups })
  for (const [organizationUserGroupId, members] of groups) {
    for (const batch of batches(members.map(({ userId }) => userId))) {
      await client.userGroups.addGroupUsers({ organizationId, organizationUserGroupId, userIds: batch })
    }
  }
  return users.length
}

/** Adds the threads of a document in one call, with all comments but the last. The last is then added as a reply. */
async function addComments(client: Api, { organizationId, threads }: Organization): Promise<number> {
  for (const [documentId, own] of groupBy(threads, ({ document }) => document.documentId)) {
    const commentAnnotations = own.map(threadInput)
    await client.comments.addCommentAnnotations({ organizationId, documentId, commentAnnotations })
    for (const { annotationId, comments } of own) {
      const reply = comments.slice(1).at(-1)
      if (!reply) continue
      await client.comments.addComments({ organizationId, documentId, annotationId, commentData: [reply] })
    }
  }
  return threads.reduce((sum, { comments }) => sum + comments.length, 0)
}

function threadInput({ annotationId, locationId, comments, mentioned, assigned, priority }: Thread) {
  const [first, ...more] = comments.length > 1 ? comments.slice(0, -1) : comments
  if (!first) throw new Error(`The thread ${annotationId} is empty.`)
  const tagged = mentioned && { taggedUserContacts: [{ userId: mentioned.userId, contact: mentioned }] }
  return {
    annotationId,
    location: { id: locationId, locationName: `The ${locationId}` },
    commentData: [{ ...first, ...tagged }, ...more],
    ...(assigned && { assignedTo: assigned }),
    ...(priority && { priority: { id: priority } }),
  }
}

async function resolveThreads(client: Api, { organizationId, threads }: Organization): Promise<number> {
  const resolved = threads.filter((thread) => thread.resolved)
  for (const { annotationId, document, comments } of resolved) {
    const actionUser = comments[0]?.from
    if (!actionUser) continue
    await client.comments.updateCommentAnnotations({
      organizationId,
      documentId: document.documentId,
      annotationIds: [annotationId],
      updatedData: { status: { id: 'RESOLVED' } },
      actionUser,
    })
  }
  return resolved.length
}

async function addReactions(client: Api, { organizationId, threads }: Organization): Promise<number> {
  let count = 0
  for (const { annotationId, document, comments, reactedBy } of threads) {
    const commentId = comments[0]?.commentId
    if (!reactedBy || commentId === undefined) continue
    const reactions = [{ icon: 'HEART_FACE', from: reactedBy }]
    await client.reactions.addReactions({
      organizationId,
      documentId: document.documentId,
      annotationId,
      commentId,
      reactions,
    })
    count++
  }
  return count
}

async function addRecordings(client: Api, { organizationId, recorded, users }: Organization): Promise<number> {
  const [from] = users
  for (const { documentId } of recorded) {
    const recording = {
      annotationId: `${documentId}-recording`,
      recordingType: 'screen' as const,
      mode: 'floating' as const,
      displayName: `Walk through ${documentId}`,
      recordedTime: { duration: 65_000 },
      attachments: [{ url: `https://files.northwind.example/${documentId}.mp4`, mimeType: 'video/mp4' }],
      ...(from && { from }),
    }
    await client.recordings.addRecordings({ organizationId, documentId, recordings: [recording] })
  }
  return recorded.length
}

async function addNotifications(client: Api, { organizationId, recorded, users }: Organization): Promise<number> {
  const [actionUser, ...others] = users
  if (!actionUser) return 0
  for (const { documentId, documentName } of recorded) {
    await client.notifications.addNotifications({
      organizationId,
      documentId,
      notificationId: `${documentId}-recorded`,
      actionUser,
      notifyUsers: others.slice(0, 3),
      notifyAll: false,
      displayHeadlineMessageTemplate: '{actionUser} recorded {document}',
      displayHeadlineMessageTemplateData: { actionUser, document: documentName },
      displayBodyMessage: 'Please have a look.',
    })
  }
  return recorded.length
}

async function addActivities(client: Api, { organizationId, recorded, users }: Organization): Promise<number> {
  const [actionUser] = users
  if (!actionUser) return 0
  for (const { documentId, documentName } of recorded) {
    const activity = {
      id: `${documentId}-published`,
      featureType: 'custom' as const,
      actionType: 'custom.published',
      actionUser: { ...actionUser },
      targetEntityId: documentId,
      displayMessageTemplate: '{{actionUser.name}} published {{title}}',
      displayMessageTemplateData: { title: documentName },
    }
    await client.activities.addActivities({ organizationId, documentId, activities: [activity] })
  }
  return recorded.length
}

/** Groups the items by key; the keys keep the order of their first items. */
export function groupBy<T, K>(items: T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

const batches = <T>(items: T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / BATCH) }, (_, i) => items.slice(i * BATCH, (i + 1) * BATCH))
