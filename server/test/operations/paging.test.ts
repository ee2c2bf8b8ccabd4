import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/db.ts'
import type { AnyPage } from '../answer.ts'
import { newWorkspace, type Service, startAlone, type TestWorkspace } from '../running-service.ts'

const GATE = 4_711
const FIRST = 4_712
const organizationId = 'acme'
const documentId = 'plan'
const inDocument = { organizationId, documentId }
const from = { userId: 'ada' }
const O = '/v2/organizations'
const commentAnnotations = ['t', 'u'].map((annotationId) => ({ annotationId, commentData: [{ from }] }))
const recording = { recordingType: 'audio', mode: 'floating', recordedTime: { duration: 1 }, attachments: [] }

/** Each list that is paged in the order of adding: its table, its operations, one item, and the ids of a page. */
const lists: [table: string, add: string, item: (id: string) => object, get: string, filter: object, id: string][] = [
  ['organization', `${O}/add`, (id) => ({ organizations: [{ organizationId: id }] }), `${O}/get`, {}, 'id'],
  [
    'document',
    `${O}/documents/add`,
    (id) => ({ organizationId, documents: [{ documentId: id }] }),
    `${O}/documents/get`,
    { organizationId },
    'id',
  ],
  [
    'folder',
    `${O}/folders/add`,
    (id) => ({ organizationId, folders: [{ folderId: id }] }),
    `${O}/folders/get`,
    { organizationId },
    'folderId',
  ],
  [
    'access_grant',
    '/v2/users/add',
    (id) => ({ organizationId, users: [{ userId: id }] }),
    '/v2/users/get',
    { organizationId },
    'userId',
  ],
  [
    'recording',
    '/v2/recordings/add',
    (id) => ({ ...inDocument, recordings: [{ annotationId: id, ...recording }] }),
    '/v2/recordings/get',
    { organizationId },
    'annotationId',
  ],
  [
    'reaction',
    '/v2/reactions/add',
    (id) => ({
      ...inDocument,
      annotationId: id === 'open' ? 't' : 'u',
      reactions: [{ reactionId: id, icon: 'HEART', from }],
    }),
    '/v2/reactions/get',
    { organizationId },
    'annotationId',
  ],
]

// The embedded database has one connection, so nobody can read while a transaction is open.
describe.runIf(process.env.TEST_DATABASE === 'postgres')('no item is lost or repeated while rows are inserted', () => {
  let service: Service
  let ws: TestWorkspace

  beforeAll(async () => {
    service = await startAlone()
    // Of the transactions that insert while the gate is closed, the first waits there with its position taken.
    await service.database.script(`
      create function wait_at_gate() returns trigger language plpgsql as $$
      begin
        if pg_try_advisory_xact_lock(${FIRST}) then perform pg_advisory_xact_lock_shared(${GATE}); end if;
        return null;
      end $$`)
    for (const [table] of lists)
      await service.database.script(
        `create trigger gate after insert on ${table} for each row execute function wait_at_gate()`,
      )
  })

  const waiting = async () => {
    const [row] = await service.database.query<{ count: number }>(sql`
      select count(*) as count
      from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    return row?.count ?? 0
  }

  test.each(lists)('%s: an add that is still open is never passed by a page', async (_, add, item, get, filter, id) => {
    ws = await newWorkspace(service)
    await ws.ok(`${O}/documents/add`, { organizationId, createOrganization: true, documents: [{ documentId }] })
    await ws.ok('/v2/commentannotations/add', { ...inDocument, commentAnnotations })
    for (const name of ['a', 'b', 'c']) await ws.ok(add, item(name))
    const page = async (pageToken?: string, pageSize = 1) => {
      const { data, ...result } = (await ws.ok(get, { ...filter, pageSize, pageToken })) as AnyPage
      const ids = data.map((record) => String(record[id]))
      return { ids, next: result.pageToken ?? result.nextPageToken ?? undefined }
    }
    let { ids: seen, next } = await page()
    let adds: Promise<unknown>[] = []
    let done = 0
    await service.database.transaction(async (db) => {
      await db.query(sql`select pg_advisory_xact_lock(${GATE})`)
      adds = [ws.ok(add, item('open'))]
      await expect.poll(waiting, { timeout: 15_000 }).toBe(1)
      for (const name of ['later', 'latest']) adds.push(ws.ok(add, item(name)).then(() => done++))
      await expect.poll(async () => (await waiting()) + done, { timeout: 15_000 }).toBe(3)
      while (next) {
        const { ids, next: after } = await page(next)
        seen = [...seen, ...ids]
        next = after
      }
    })
    await Promise.all(adds)
    const all = (await page(undefined, 1000)).ids
    expect(all).toHaveLength(new Set(all).size)
    expect(all.slice(0, seen.length)).toEqual(seen)
    expect(seen).toEqual(expect.arrayContaining(['a', 'b', 'c']))
  })
})
