import { expect, test } from 'vitest'
import { freshNativeUrl, newWorkspace, startOn } from '../../../test/running-service.ts'
import { type Database, sql } from '../../platform/db/db.ts'
import { openPostgres } from '../../platform/db/postgres.ts'
import { migrate } from '../../platform/migrate.ts'

const open = (url: string): Promise<Database> =>
  openPostgres({ url, poolSize: 16, pipeline: true, statementTimeoutMs: 30_000, onError: () => {} })

const ROUNDS = 60
const organizationId = 'acme'
const [documentId, folderId, groupId] = ['document', 'folder', 'group']
const thread = { location: { id: 1 }, commentData: [{ commentText: 'Hi', from: { userId: 'ada' } }] }

/** For each kind of row: two changes of the same one, and a write that protects it from deletion. */
const CALLS = {
  organizations: [
    ['/v2/organizations/update', { organizations: [{ organizationId, note: 1 }] }],
    ['/v2/organizations/access/disablestate/update', { organizationIds: [organizationId], disabled: false }],
    ['/v2/organizations/documents/add', { organizationId, documents: [{ documentId }] }],
  ],
  documents: [
    ['/v2/organizations/documents/update', { organizationId, documents: [{ documentId, note: 1 }] }],
    ['/v2/organizations/documents/access/update', { organizationId, documentIds: [documentId], accessType: 'public' }],
    ['/v2/commentannotations/add', { organizationId, documentId, commentAnnotations: [thread] }],
  ],
  folders: [
    ['/v2/organizations/folders/update', { organizationId, folders: [{ folderId, note: 1 }] }],
    ['/v2/organizations/folders/access/update', { organizationId, folderIds: [folderId], accessType: 'public' }],
    ['/v2/organizations/documents/add', { organizationId, folderId, documents: [{ documentId }] }],
  ],
  groups: [
    ['/v2/organizations/usergroups/update', { organizationId, organizationUserGroups: [{ groupId, groupName: 'b' }] }],
    ['/v2/organizations/usergroups/update', { organizationId, organizationUserGroups: [{ groupId, groupName: 'c' }] }],
    ['/v2/organizations/usergroups/users/add', { organizationId, organizationUserGroupId: groupId, userIds: ['ada'] }],
  ],
} as const

// PostgreSQL ends a deadlock after a second, and the call is tried again, so callers would only see that it is slow.
test.runIf(process.env.TEST_DATABASE === 'postgres').each(Object.keys(CALLS) as (keyof typeof CALLS)[])(
  'changes of the same %s at once never deadlock, whatever is added to them meanwhile',
  { timeout: 120_000 },
  async (kind) => {
    const url = await freshNativeUrl()
    const database = await open(url)
    await migrate(database)
    const ws = await newWorkspace(await startOn(database, {}))
    await ws.ok('/v2/organizations/add', { organizations: [{ organizationId }] })
    await ws.ok('/v2/users/add', { organizationId, users: [{ userId: 'ada' }] })
    await ws.ok('/v2/organizations/folders/add', { organizationId, folders: [{ folderId }] })
    await ws.ok('/v2/organizations/documents/add', { organizationId, documents: [{ documentId }] })
    await ws.ok('/v2/organizations/usergroups/add', { organizationId, organizationUserGroups: [{ groupId }] })
    const callers = Array.from({ length: 16 }, async (_, i) => {
      const [path, data] = CALLS[kind][i % 3] as (typeof CALLS)[typeof kind][number]
      for (let round = 0; round < ROUNDS; round++) await ws.ok(path, data)
    })
    await Promise.all(callers)
    // A session counts its deadlocks for others to see when it ends, at the latest.
    await database.close()
    const after = await open(url)
    const [row] = await after.query(sql`select deadlocks from pg_stat_database where datname = current_database()`)
    await after.close()
    expect(row).toEqual({ deadlocks: 0 })
  },
)
