import { analyze, type Filled, quantile, repeat, type Subject } from '../subject.ts'
import { median, round } from '../table.ts'

/** The organization of the tree. */
export const ORGANIZATION = 'tree'
const CHILDREN = 10
const BATCH = 1_000

/** Writes a tree of folders through the API. */
export async function fill({ client, database }: Filled, count: number): Promise<void> {
  const organizationId = ORGANIZATION
  await client.organizations.addOrganizations({ organizations: [{ organizationId }] })
  const folders = Array.from({ length: count }, (_, i) => ({
    folderId: `folder-${i}`,
    folderName: `Folder ${i}`,
    parentFolderId: i === 0 ? 'root' : `folder-${Math.floor((i - 1) / CHILDREN)}`,
  }))
  for (let start = 0; start < count; start += BATCH) {
    await client.folders.addFolders({ organizationId, folders: folders.slice(start, start + BATCH) })
  }
  await analyze(database)
}

/** Measures folders/get of a tree in which every folder has ten below it: flat, nested, and one page. */
export async function measureFolders(subject: Subject, count: number, rounds: number): Promise<(string | number)[][]> {
  const organizationId = ORGANIZATION
  await fill(subject, count)
  const rows: (string | number)[][] = []
  for (const [what, data] of [
    ['all folders, flat', {}],
    ['the whole tree, nested', { folderId: 'folder-0', maxDepth: 100 }],
    ['a page of 1,000 folders', { pageSize: BATCH }],
    ['one folder and those directly below it', { folderId: 'folder-1' }],
  ] as const) {
    const times = await repeat(rounds, () => subject.time('/v2/organizations/folders/get', { organizationId, ...data }))
    rows.push([what, count, round(median(times), 1), round(quantile(times, 0.95), 1)])
  }
  return rows
}
