import { Readable } from 'node:stream'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ada, at, newReview, type Review } from '../../../test/review.ts'
import { type Service, startService, testDatabase } from '../../../test/running-service.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { json, raw, sql } from '../../platform/db/db.ts'
import { deleteOrganizationRows } from '../../platform/db/tenant-tables.ts'
import { exportData, importData } from '../../platform/db/transfer.ts'
import { keyOf } from '../../platform/id.ts'
import { lockPlaces } from '../memory/judgment/place.ts'
import { ensureOrganization } from './organization.ts'

const MANY = 1_001

let service: Service
let review: Review
beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  review = await newReview(service)
  await addThreads('old')
})

const remove = async () => (await review.ws.ok('/v2/organizations/delete', { organizationIds: ['acme'] })).data
const progress = async () => (await review.ws.ok('/v2/organizations/delete/status')).data
const organizations = async () => (await review.ws.ok('/v2/organizations/get')).data.map(({ id }) => id)
const threadIds = async () => (await review.threads()).map((thread) => thread?.annotationId).sort()
const rowsOf = (table: string, key = keyOf('acme')) =>
  service.database.query(sql`
    select * from ${raw(table)} where api_key = ${review.ws.apiKey} and organization_key = ${key}`)

async function addThreads(prefix: string, count = MANY, organizationId = at.organizationId): Promise<void> {
  for (let from = 0; from < count; from += 1_000) {
    const commentAnnotations = Array.from({ length: Math.min(1_000, count - from) }, (_, n) => ({
      annotationId: `${prefix}-${from + n}`,
      commentData: [{ from: ada, commentText: 'One' }],
    }))
    const place = { ...at, organizationId, createOrganization: true, createDocument: true }
    await review.ws.ok('/v2/commentannotations/add', { ...place, commentAnnotations, triggerNotification: false })
  }
}

/** The ids of the threads whose deletion was announced. */
async function announced(): Promise<string[]> {
  const rows = await service.database.query<{ id: string }>(sql`
    select advanced #>> '{data,commentAnnotation,annotationId}' as id
    from event
    where api_key = ${review.ws.apiKey} and type = 'comment.delete'`)
  return rows.map(({ id }) => id)
}

/** The keys of the API key's organizations that are not the usual ones. */
async function renewed(): Promise<Record<string, string> | null> {
  const [row] = await service.database.query<{ keys: Record<string, string> | null }>(sql`
    select organization_keys as keys from api_key where id = ${review.ws.apiKey}`)
  return row?.keys ?? null
}

test('a large organization is hidden by one transaction, and removed and announced by jobs with progress', async () => {
  expect(await remove()).toEqual({ acme: { success: true, message: 'Deleted Successfully' } })
  expect(await organizations()).toEqual([])
  expect((await review.ws.call('/v2/organizations/documents/get', { organizationId: 'acme' })).status).toBe(404)
  expect(await review.threads()).toEqual([])
  expect(await remove()).toEqual({ acme: { success: false, message: 'Organization does not exist' } })
  expect(await announced()).toEqual([])
  expect(await progress()).toEqual([
    { organizationId: 'acme', deletedAt: expect.any(Number), threads: MANY, threadsRemoved: 0 },
  ])
  await service.drainJobs()
  expect(await progress()).toEqual([])
  const ids = await announced()
  expect([ids.length, new Set(ids).size]).toEqual([MANY, MANY])
  expect(await rowsOf('document')).toEqual([])
  expect(await renewed()).toBeNull()
})

test('of organizations that hold little each and much together, jobs remove the larger ones', async () => {
  await addThreads('some', 500, 'small')
  await addThreads('more', 501, 'larger')
  await addThreads('few', 2, 'tiny')
  await review.ws.ok('/v2/organizations/delete', { organizationIds: ['larger', 'small', 'tiny'] })
  expect((await announced()).length).toBe(502)
  expect(await progress()).toEqual([
    { organizationId: 'larger', deletedAt: expect.any(Number), threads: 501, threadsRemoved: 0 },
  ])
  await service.drainJobs()
  expect((await announced()).length).toBe(1_003)
  expect(await progress()).toEqual([])
})

test('its id is free at once, and nothing of it surfaces in a new organization of that id', async () => {
  await remove()
  await addThreads('new', 2)
  await review.thread('old-0')
  expect(await threadIds()).toEqual(['new-0', 'new-1', 'old-0'])
  expect(await organizations()).toEqual(['acme'])
  await service.drainJobs()
  expect(await threadIds()).toEqual(['new-0', 'new-1', 'old-0'])
  expect(await announced()).toHaveLength(MANY)
  expect(Object.keys((await renewed()) ?? {})).toEqual([keyOf('acme')])
  await remove()
  expect([await organizations(), await renewed()]).toEqual([[], null])
  await addThreads('last', 1)
  expect(await rowsOf('comment_annotation')).toHaveLength(1)
})

test('one deleted twice while the first is still being removed is removed twice', async () => {
  await remove()
  await addThreads('new')
  await remove()
  expect((await progress()).map(({ threads }) => threads)).toEqual([MANY, MANY])
  await addThreads('last', 1)
  await service.drainJobs()
  expect(await progress()).toEqual([])
  expect(new Set(await announced()).size).toBe(2 * MANY)
  expect(await threadIds()).toEqual(['last-0'])
})

test('a request that began before the deletion creates no organization that nobody would find', async () => {
  const before = { apiKey: review.ws.apiKey, workspaceId: review.ws.id }
  const create = (tenant: ApiKeyTenant) =>
    service.database.transaction((db) => ensureOrganization(db, tenant, 'acme', { create: true }))
  await remove()
  const between = { ...before, organizationKeys: (await renewed()) ?? {} }
  await expect(create(before)).rejects.toMatchObject({ status: 'ABORTED' })
  await addThreads('new', 1)
  await service.drainJobs()
  // The usual key is free, but the organization of that id has another one.
  await expect(create(before)).rejects.toMatchObject({ code: '40001' })
  expect((await create(between)).key).toBe(between.organizationKeys[keyOf('acme')])
  await remove()
  // The id has its usual key again.
  await expect(create(between)).rejects.toMatchObject({ code: '40001' })
  expect((await create(before)).key).toBe(keyOf('acme'))
  expect(await organizations()).toEqual(['acme'])
})

test('threads that were written meanwhile are announced too', async () => {
  await remove()
  const end = { documentKey: 'ffffffff-ffff-ffff-ffff-ffffffffffff', updatedAt: 0, key: keyOf('') }
  await service.database.query(sql`
    update job
    set payload = payload || jsonb_build_object('position', ${end}::jsonb)
    where api_key = ${review.ws.apiKey} and name = 'organization.remove-threads'`)
  await service.drainJobs()
  expect(await announced()).toHaveLength(MANY)
  expect(await progress()).toEqual([])
})

test('a judgment that was written meanwhile goes with the rest, though it refers to no row of the organization', async () => {
  const judgment = { recordId: 'late', decision: 'approve', reasoning: 'Good', actionUser: ada }
  await remove()
  await review.ws.ok('/v2/memory/judgments/add', { judgments: [judgment] })
  await service.database.query(sql`
    update judgment
    set organization_key = ${keyOf('acme')}
    where api_key = ${review.ws.apiKey}`)
  await service.drainJobs()
  expect(await rowsOf('judgment')).toEqual([])
})

test('no judgment is added to an organization whose deletion the request has not seen', async () => {
  await remove()
  const tenant = { apiKey: review.ws.apiKey, workspaceId: review.ws.id }
  const late = { organizationKey: keyOf('acme'), documentKey: null }
  const places = await service.database.transaction((db) => lockPlaces(db, tenant, [late]))
  expect(places.organization(late)).toBe(false)
})

test('beyond a hundred at a time, an organization is deleted by its request', async () => {
  const keys = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [keyOf(`${n}`), keyOf(`other ${n}`)]))
  await service.database.query(sql`
    update api_key set organization_keys = ${json(keys)} where id = ${review.ws.apiKey}`)
  await remove()
  expect([await progress(), new Set(await announced()).size]).toEqual([[], MANY])
})

test('folders go from the newest to the oldest, so that none takes along a tree at once', async () => {
  const folders = ['a', 'b', 'c', 'd'].map((folderId, n, all) => ({
    folderId,
    ...(n > 0 && { parentFolderId: all[n - 1] }),
  }))
  for (const folder of folders)
    await review.ws.ok('/v2/organizations/folders/add', { organizationId: 'acme', folders: [folder] })
  const organization = { apiKey: review.ws.apiKey, organizationKey: keyOf('acme') }
  expect(await deleteOrganizationRows(service.database, 'folder', organization, 2)).toBe(2)
  expect((await rowsOf('folder')).map((folder) => (folder as { id: string }).id).sort()).toEqual(['a', 'b'])
})

test('a backup that is made meanwhile can be restored, and the removal goes on there', async () => {
  await remove()
  await addThreads('new', 1)
  const lines: string[] = []
  const about = { at: '2026-01-31T00:00:00.000Z', keys: [] }
  await exportData(service.database, (text) => void lines.push(...text.split('\n').slice(0, -1)), about)
  const database = await testDatabase()
  try {
    await importData(database, Readable.from(lines))
    const rows = await database.query<{ key: string; isRetired: boolean }>(sql`
      select key, retired_at is not null as "isRetired"
      from organization
      where api_key = ${review.ws.apiKey}
      order by retired_at nulls last`)
    const keys = (await renewed()) ?? {}
    expect(rows).toEqual([
      { key: keyOf('acme'), isRetired: true },
      { key: keys[keyOf('acme')], isRetired: false },
    ])
    const jobs = await database.query(sql`
      select 1 as one from job where api_key = ${review.ws.apiKey} and name = 'organization.remove-threads'`)
    expect(jobs).toHaveLength(1)
  } finally {
    await database.close()
  }
})

test('a retired organization is restored under its former key also where triggers cannot be switched off', async () => {
  await remove()
  await service.drainJobs()
  await service.database.query(sql`
    update api_key
    set organization_keys = ${json({ [keyOf('acme')]: keyOf('another') })}
    where id = ${review.ws.apiKey}`)
  await service.database.query(sql`
    insert into organization (api_key, key, id, retired_at, retired_threads)
    values (${review.ws.apiKey}, ${keyOf('acme')}, 'acme', 1, 0)`)
  expect(await progress()).toMatchObject([{ organizationId: 'acme', deletedAt: 1 }])
})
