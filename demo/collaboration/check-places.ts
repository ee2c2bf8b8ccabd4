import { type Api, PrecedentError } from '../../client/src/index.ts'
import { at, type Document, type Folder, type Organization } from './company.ts'
import { allPages, type Expectation } from './expectation.ts'
import { groupBy } from './load.ts'

/** Reads with every filter of some operations and compares the results with what was written. */
export type Check = (client: Api, organization: Organization, expect: Expectation) => Promise<void>

export const checkOrganizations: Check = async (client, { organizationId, organizationName }, expect) => {
  const written = { id: organizationId, organizationName, disabled: false, plan: 'team' }
  const { data: named } = await client.organizations.getOrganizations({ organizationIds: [organizationId, 'unknown'] })
  expect.matches('organizations/get by id', named, [written])
  const all = await allPages(async (page) => {
    const { data, nextPageToken } = await client.organizations.getOrganizations(page)
    return { data, next: nextPageToken }
  }, 2)
  const [own, ...more] = all.filter(({ id }) => id === organizationId)
  expect.matches('organizations/get by pages', [own, more], [written, []])
}

export const checkDocuments: Check = async (client, { organizationId, documents, folders }, expect) => {
  const read = (filter: Partial<Parameters<Api['documents']['getDocuments']>[0]>, pageSize: number) =>
    allPages(async (page) => {
      const { data, pageToken } = await client.documents.getDocuments({ organizationId, ...filter, ...page })
      return { data, next: pageToken }
    }, pageSize)
  const compare = (what: string, answer: { id: string }[], written: Document[]) =>
    expect.matches(`documents/get ${what}`, byId(answer), byId(written.map(toRecord)))

  compare('of everything', await read({}, 100), documents)
  const { data: v1 } = await client.documents.getDocumentsV1({ organizationId })
  compare('of everything (v1)', v1, documents)
  const some = documents.slice(0, 5)
  compare('by id', await read({ documentIds: some.map(({ documentId }) => documentId) }, 1000), some)
  const { folderId } = at(folders, folders.length - 1)
  const inFolder = documents.filter((document) => document.folderId === folderId)
  compare('of a folder', await read({ folderId }, 1000), inFolder)
  const inNone = documents.filter((document) => document.folderId === undefined)
  compare('of no folder', await read({ folderId: 'root' }, 1000), inNone)
  const legal = documents.filter(({ department }) => department === 'legal')
  const filters = [{ key: 'department', operator: '==' as const, value: 'legal' }]
  compare('by metadata', await read({ filters }, 50), legal)
}

function toRecord({ documentId, documentName, department, accessType, folderId }: Document) {
  const place = folderId === undefined ? {} : { folderId }
  return { id: documentId, documentName, department, disabled: false, accessType: accessType ?? 'public', ...place }
}

export const checkFolders: Check = async (client, { organizationId, folders }, expect) => {
  const parents = new Map(folders.map(({ folderId, parentFolderId }) => [folderId, parentFolderId]))
  const toFlat = (folder: Folder) => ({ ...folder, organizationId, ancestors: ancestorsOf(folder.folderId, parents) })
  const { data: flat } = await client.folders.getFolders({ organizationId })
  expect.matches('folders/get of everything', byId(flat), byId(folders.map(toFlat)))
  const paged = await allPages(async (page) => {
    const { data, pageToken } = await client.folders.getFolders({ organizationId, ...page })
    return { data, next: pageToken }
  }, 7)
  expect.matches('folders/get by pages', byId(paged), byId(flat))

  const top = folders.filter(({ parentFolderId }) => parentFolderId === 'root')
  const { data: roots } = await client.folders.getFolders({ organizationId, rootFoldersOnly: true })
  expect.sameIds(
    'folders/get of the top level',
    roots.map(({ folderId }) => folderId),
    top.map(({ folderId }) => folderId),
  )
  const children = groupBy(folders, ({ parentFolderId }) => parentFolderId)
  for (const { folderId } of top) {
    for (const maxDepth of [0, 1, 2, 50]) {
      const { data } = await client.folders.getFolders({ organizationId, folderId, maxDepth })
      const found = data.map(treeOf)
      expect.matches(`folders/get ${folderId} to depth ${maxDepth}`, found, [writtenTree(folderId, children, maxDepth)])
    }
  }
  const unknown = await client.folders.getFolders({ organizationId, folderId: 'unknown' }).catch((error) => error)
  expect.matches('folders/get of an unknown folder', unknown instanceof PrecedentError && unknown.status, 'NOT_FOUND')
}

function ancestorsOf(folderId: string, parents: Map<string, string>): string[] {
  const parent = parents.get(folderId)
  return parent === undefined ? [] : [...ancestorsOf(parent, parents), parent]
}

type Tree = { [folderId: string]: Tree }

interface Nested {
  folderId: string
  subFolders?: Nested[]
}

function treeOf({ folderId, subFolders = [] }: Nested): Tree {
  return { [folderId]: Object.assign({}, ...subFolders.map(treeOf)) }
}

function writtenTree(folderId: string, children: Map<string, Folder[]>, depth: number): Tree {
  const below = depth === 0 ? [] : (children.get(folderId) ?? [])
  return { [folderId]: Object.assign({}, ...below.map((child) => writtenTree(child.folderId, children, depth - 1))) }
}

/** Records in the order of their ids. */
const byId = <T extends { id: string } | { folderId: string }>(records: T[]): T[] =>
  [...records].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))

const idOf = (record: { id: string } | { folderId: string }) => ('id' in record ? record.id : record.folderId)
