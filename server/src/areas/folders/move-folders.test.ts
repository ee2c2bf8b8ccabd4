import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { rowsInVain } from '../../../test/measuring/explained.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { moveFolders } from './move-folders.ts'

let service: Service
let ws: TestWorkspace
let organizationId: string
beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
})

const update = (...folders: object[]) => ws.ok('/v2/organizations/folders/update', { organizationId, folders })

async function accessOf(folderId: string) {
  const { data } = await ws.ok('/v2/organizations/folders/get', { organizationId, folderId })
  return [data[0]?.accessType, data[0]?.inheritAccessFromParent]
}

beforeEach(async () => {
  organizationId = randomUUID()
  await ws.ok('/v2/organizations/folders/add', {
    organizationId,
    createOrganization: true,
    folders: [
      { folderId: 'top' },
      { folderId: 'child', parentFolderId: 'top' },
      { folderId: 'leaf', parentFolderId: 'child' },
      { folderId: 'own', accessType: 'public' },
      { folderId: 'restricted', accessType: 'restricted' },
    ],
  })
})

test('a moved folder inherits from its new parent, and so does everything in it', async () => {
  await update({ folderId: 'child', parentFolderId: 'restricted' })
  expect(await accessOf('child')).toEqual(['restricted', true])
  expect(await accessOf('leaf')).toEqual(['restricted', true])
})

test('only an explicitly set type is a folder’s own: a top-level one that was given none inherits where it is moved to', async () => {
  expect(await accessOf('top')).toEqual(['public', false])
  await update({ folderId: 'top', parentFolderId: 'restricted' }, { folderId: 'own', parentFolderId: 'restricted' })
  expect(await accessOf('top')).toEqual(['restricted', true])
  expect(await accessOf('leaf')).toEqual(['restricted', true])
  expect(await accessOf('own')).toEqual(['public', false])
})

test('an access type that comes with the move is the folder’s own', async () => {
  await update({ folderId: 'top', parentFolderId: 'restricted', accessType: 'public' })
  expect(await accessOf('top')).toEqual(['public', false])
})

test('a folder that is moved to a more open place keeps what it inherited as its own', async () => {
  await update({ folderId: 'child', parentFolderId: 'restricted' })
  await update({ folderId: 'child', parentFolderId: 'top' })
  expect(await accessOf('child')).toEqual(['restricted', false])
  expect(await accessOf('leaf')).toEqual(['restricted', true])
  await update({ folderId: 'leaf', parentFolderId: 'root' })
  expect(await accessOf('leaf')).toEqual(['restricted', false])
})

test('a move looks up each folder below it, without reading the others for it', async () => {
  const { apiKey } = ws
  const organization = keyOf(organizationId)
  await service.database.query(sql`
    insert into folder (api_key, organization_key, key, id, parent_key, path)
    select ${apiKey}, ${organization}, md5(n::text)::uuid, n, path[cardinality(path)], path
    from generate_series(1, 3000) n
    cross join lateral (
      select ${[keyOf('top'), keyOf('child')]}::uuid[] || array(
        select md5(above::text)::uuid from generate_series(1, least(n - 1, 40)) above
      ) as path
    ) p`)
  await service.database.query(sql`analyze folder`)
  const paths = new Map([
    [keyOf('child'), [keyOf('top')]],
    [keyOf('own'), []],
  ])
  const folders = new Map([['child', { parentFolderId: 'own' }]])
  const move = (db: Db) =>
    moveFolders(db, { apiKey } as ApiKeyTenant, organization, { folders, paths, faults: new Map() })
  // So little memory holds these folders no more than the usual amount holds twice as many.
  const inVain = await rowsInVain(service.database, move, { plan_cache_mode: 'force_custom_plan', work_mem: '64' })
  expect(inVain).toBeLessThan(10_000)
  expect((await accessOf('child'))[1]).toBe(true)
})
