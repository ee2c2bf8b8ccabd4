import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'

let service: Service
let ws: TestWorkspace
let organizationId: string
let count = 0
beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
})
beforeEach(async () => {
  organizationId = `organization-${count++}`
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId }] })
})

const ALL = '/v2/organizations'
const call = <Name extends string>(operation: Name, data: object) =>
  ws.call(`${ALL}/${operation}`, { organizationId, ...data })
const ok = <Name extends string>(operation: Name, data: object) =>
  ws.ok(`${ALL}/${operation}`, { organizationId, ...data })
const addFolders = (...folderIds: string[]) =>
  ok('folders/add', { folders: folderIds.map((folderId) => ({ folderId })) })
const move = (folderId: string, parentFolderId: string) =>
  call('folders/update', { folders: [{ folderId, parentFolderId }] })

/** The folders whose stored path differs from the path of their parents. */
const strayFolders = () =>
  service.database.query(sql`
    with recursive tree as (
      select key, '{}'::uuid[] as path
      from folder
      where api_key = ${ws.apiKey} and organization_key = ${keyOf(organizationId)} and parent_key is null
      union all
      select f.key, t.path || t.key
      from tree t
      join folder f on f.parent_key = t.key
      where f.api_key = ${ws.apiKey} and f.organization_key = ${keyOf(organizationId)}
    )
    select f.id
    from folder f
    left join tree t on t.key = f.key
    where f.api_key = ${ws.apiKey} and f.organization_key = ${keyOf(organizationId)} and f.path is distinct from t.path`)

test('folders moved into each other from two sides at once never form a circle', async () => {
  await addFolders('a', 'b', 'c')
  for (let round = 0; round < 5; round++) {
    await Promise.all(['a', 'b', 'c'].map((id) => move(id, 'root')))
    const answers = await Promise.all([move('a', 'b'), move('b', 'c'), move('c', 'a')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const done = answers.filter(({ body }) => Object.values(body.result.data)[0]?.success)
    expect(done).toHaveLength(2)
    expect(await strayFolders()).toEqual([])
  }
})

test('a folder deleted during adds and moves into it leaves no orphan', async () => {
  const documents = (prefix: string) => Array.from({ length: 20 }, (_, i) => ({ documentId: `${prefix}-${i}` }))
  for (let round = 0; round < 5; round++) {
    await addFolders('f', 'g')
    await ok('documents/add', { documents: documents(`out-${round}`) })
    const answers = await Promise.all([
      call('documents/add', { documents: documents(`a-${round}`), folderId: 'f' }),
      call('documents/move', {
        documentIds: documents(`out-${round}`).map(({ documentId }) => documentId),
        folderId: 'f',
      }),
      call('folders/add', { folders: [{ folderId: `sub-${round}`, parentFolderId: 'f' }] }),
      call('folders/delete', { folderId: 'f' }),
      move('g', 'f'),
      call('documents/add', { documents: documents(`b-${round}`), folderId: 'f', createFolder: true }),
      call('documents/update', { documents: documents(`out-${round}`).reverse() }),
    ])
    for (const { status, body } of answers) expect([200, 404], JSON.stringify(body)).toContain(status)
    expect(await strayFolders()).toEqual([])
    const listed = await ok('documents/get', {})
    const folders = (await ok('folders/get', {})).data.map(({ folderId }) => folderId)
    for (const { folderId } of listed.data) if (folderId !== undefined) expect(folders).toContain(folderId)
  }
})

test('an organization deleted during writes below it is gone as a whole or there again as a whole', async () => {
  for (let round = 0; round < 5; round++) {
    const createOrganization = true
    await call('folders/add', {
      createOrganization,
      folders: [{ folderId: 'f' }, { folderId: 'g', parentFolderId: 'f' }],
    })
    const answers = await Promise.all([
      call('documents/add', {
        createOrganization,
        documents: [{ documentId: 'a' }],
        folderId: 'f',
        createFolder: true,
      }),
      call('delete', { organizationIds: [organizationId] }),
      call('documents/add', { documents: [{ documentId: 'b' }], folderId: 'g' }),
      call('folders/add', { createOrganization, folders: [{ folderId: 'h', parentFolderId: 'f' }] }),
      call('folders/delete', { folderId: 'f' }),
      call('documents/delete', { documentIds: ['a', 'b'] }),
      move('g', 'root'),
    ])
    for (const { status, body } of answers) expect([200, 404], JSON.stringify(body)).toContain(status)
    expect(await strayFolders()).toEqual([])
  }
})

test('the same documents added, changed and deleted in opposite orders at once', async () => {
  const ids = Array.from({ length: 100 }, (_, i) => `d-${i}`)
  const documents = ids.map((documentId) => ({ documentId, touched: true }))
  const reversed = [...documents].reverse()
  const answers = await Promise.all([
    call('documents/add', { documents }),
    call('documents/add', { documents: reversed }),
    call('documents/update', { documents }),
    call('documents/update', { documents: reversed }),
    call('documents/delete', { documentIds: ids }),
    call('documents/add', { documents: reversed }),
    call('documents/access/update', { documentIds: [...ids].reverse(), accessType: 'restricted' }),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const listed = (await ok('documents/get', {})).data
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length)
})
