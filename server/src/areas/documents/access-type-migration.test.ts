import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { newWorkspace, startService } from '../../../test/running-service.ts'

test('the migration gives resources at the top level the effective type that they had by another default', async () => {
  const service = await startService()
  const organizationId = 'o'
  const [changed, unchanged] = [await newWorkspace(service), await newWorkspace(service)]
  for (const ws of [changed, unchanged]) {
    const folders = [
      { folderId: 'f' },
      { folderId: 'below', parentFolderId: 'f' },
      { folderId: 'g', accessType: 'public' },
    ]
    await ws.ok('/v2/organizations/folders/add', { organizationId, createOrganization: true, folders })
    const add = (documentId: string, place: object) =>
      ws.ok('/v2/organizations/documents/add', { organizationId, documents: [{ documentId }], ...place })
    await add('top', {})
    await add('in-f', { folderId: 'below' })
    await add('in-g', { folderId: 'g' })
  }
  // As it was before the migration: the default is set, and no resource has a type of its own.
  await changed.ok('/v2/workspace/apikeyconfig/update', { defaultDocumentAccessType: 'restricted' })
  const file = new URL('../../../migrations/0361-own-access-type.sql', import.meta.url)
  const statements = await readFile(file, 'utf8')
  await service.database.script(`begin; ${statements} commit;`)
  const typesOf = async (ws: typeof changed) => {
    const { data } = await ws.ok('/v2/organizations/documents/get', { organizationId })
    return Object.fromEntries(data.map(({ id, accessType }) => [id, accessType]))
  }
  expect(await typesOf(changed)).toEqual({ top: 'restricted', 'in-f': 'restricted', 'in-g': 'public' })
  expect(await typesOf(unchanged)).toEqual({ top: 'public', 'in-f': 'public', 'in-g': 'public' })
})
