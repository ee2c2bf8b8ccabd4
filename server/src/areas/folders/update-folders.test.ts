import { expect, test } from 'vitest'
import { newWorkspace, startAlone } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'

test('a move gives statistics to folders that an import has just added, before it looks for those below', async () => {
  const service = await startAlone()
  const ws = await newWorkspace(service)
  await ws.ok('/v2/organizations/folders/add', {
    organizationId: 'o',
    createOrganization: true,
    folders: [{ folderId: 'top' }, { folderId: 'new' }],
  })
  const top = keyOf('top')
  await service.database.query(sql`
    insert into folder (api_key, organization_key, key, id, parent_key, path)
    select ${ws.apiKey}, ${keyOf('o')}, md5(n::text)::uuid, n, ${top}, ${[top]}::uuid[] from generate_series(1, 500) n`)
  const update = (folder: object) =>
    ws.ok('/v2/organizations/folders/update', { organizationId: 'o', folders: [{ folderId: 'top', ...folder }] })
  const known = async () => {
    const rows = await service.database.query<{ rows: number }>(sql`
      select reltuples as rows from pg_class where oid = 'folder'::regclass`)
    return rows[0]?.rows
  }
  await update({ folderName: 'Top' })
  expect(await known()).toBeLessThan(500)
  await update({ parentFolderId: 'new' })
  expect(await known()).toBe(502)
})
