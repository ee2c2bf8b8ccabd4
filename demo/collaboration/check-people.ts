import type { Api } from '../../client/src/index.ts'
import type { Check } from './check-places.ts'
import { at, type Document, type Grant, type Organization, type Role, type User } from './company.ts'
import { allPages } from './expectation.ts'
import { groupBy } from './load.ts'

type Filter = Partial<Parameters<Api['users']['getUsers']>[0]>

export const checkUsers: Check = async (client, organization, expect) => {
  const { organizationId, users, roles, groups, grants, guest } = organization
  const read = async (filter: Filter, pageSize = 1000) => {
    const all = await allPages(async (page) => {
      const { data, nextPageToken } = await client.users.getUsers({ organizationId, ...filter, ...page })
      return { data: Array.isArray(data) ? data : Object.values(data).flat(), next: nextPageToken }
    }, pageSize)
    return all.sort((a, b) => (a.userId < b.userId ? -1 : 1))
  }
  const sorted = (people: (User & { role?: Role | undefined })[]) =>
    people
      .map(({ role, ...user }) => ({ ...user, ...(role && { accessRole: role }) }))
      .sort((a, b) => (a.userId < b.userId ? -1 : 1))
  const asMembers = (members: User[]) => sorted(members.map((user) => ({ ...user, role: roles.get(user.userId) })))

  expect.matches('users/get of the organization', await read({}, 50), asMembers(users))
  const some = users.slice(0, 5)
  const userIds = some.map(({ userId }) => userId)
  expect.matches('users/get by id', await read({ userIds: [...userIds, guest.userId] }), asMembers(some))
  for (const [groupId, members] of groups) {
    const found = await read({ organizationUserGroupIds: [groupId] })
    expect.matches(`users/get of the group ${groupId}`, found, asMembers(members))
  }
  for (const [id, own] of groupBy(grants, (grant) => grant.id)) {
    const level = at(own, 0).type === 'document' ? { documentId: id } : { folderId: id }
    const written = own.map(({ userId, role }) => ({ userId, accessRole: role }))
    const listed = written.sort((a, b) => (a.userId < b.userId ? -1 : 1))
    expect.matches(`users/get of the ${at(own, 0).type} ${id}`, await read(level), listed)
  }
  const onDocuments = grants.filter(({ type }) => type === 'document')
  const found = await read({ allDocuments: true }, 10)
  const foundIds = found.map(({ userId }) => userId)
  expect.sameIds('users/get of any document', foundIds, new Set(onDocuments.map(({ userId }) => userId)))
  const { data: grouped } = await client.users.getUsers({ organizationId, allDocuments: true, groupByDocumentId: true })
  expect.matches('users/get by document', idsByDocument(grouped), idsOf(onDocuments))
}

const idsByDocument = (grouped: object) =>
  Object.fromEntries(
    Object.entries(grouped).map(([id, people]: [string, { userId: string }[]]) => [
      id,
      people.map(({ userId }) => userId).sort(),
    ]),
  )

const idsOf = (grants: Grant[]) =>
  Object.fromEntries(
    [...groupBy(grants, ({ id }) => id)].map(([id, own]) => [id, own.map(({ userId }) => userId).sort()]),
  )

const USERS_CHECKED = 24
const DOCUMENTS_CHECKED = 20

export const checkPermissions: Check = async (client, organization, expect) => {
  const { organizationId, users, documents, guest } = organization
  const people = [guest, ...users.slice(0, USERS_CHECKED)]
  const some = documents.slice(0, DOCUMENTS_CHECKED)
  const { data: permissions } = await client.permissions.getPermissions({
    organizationId,
    userIds: people.map(({ userId }) => userId),
    documentIds: some.map(({ documentId }) => documentId),
  })
  for (const { userId } of people) {
    const roles = some.map((document) => roleOf(organization, userId, document))
    const checks = some.flatMap(({ documentId }) =>
      (['view', 'edit'] as const).map((action) => ({
        userId,
        resource: { type: 'document' as const, id: documentId },
        action,
      })),
    )
    const { data: decisions } = await client.permissions.checkPermissions({ organizationId, checks })
    const written = roles.flatMap((role) => [
      { accessRole: role, allowed: role !== null },
      { accessRole: role, allowed: role === 'editor' },
    ])
    expect.matches(`permissions/check of ${userId}`, decisions, written)
    const entries = some.map(({ documentId, accessType = 'public' }, i) => {
      const role = roles[i] ?? null
      return [documentId, { accessType, ...(role ? { accessRole: role } : { errorCode: 'permission_denied' }) }]
    })
    expect.matches(`permissions/get of ${userId}`, permissions[userId]?.documents, Object.fromEntries(entries))
  }
}

/** The rule in plain words: the grant on the document, on its folders upward, then membership, then public access. */
export function roleOf(organization: Organization, userId: string, document: Document): Role | null {
  const granted = (type: Grant['type'], id: string) =>
    organization.grants.find((grant) => grant.userId === userId && grant.type === type && grant.id === id)?.role
  const onDocument = granted('document', document.documentId)
  if (onDocument) return onDocument
  let folderId = document.folderId
  while (folderId !== undefined && folderId !== 'root') {
    const onFolder = granted('folder', folderId)
    if (onFolder) return onFolder
    folderId = organization.folders.find((folder) => folder.folderId === folderId)?.parentFolderId
  }
  if (document.accessType === 'restricted') return null
  return organization.roles.get(userId) ?? 'editor'
}
