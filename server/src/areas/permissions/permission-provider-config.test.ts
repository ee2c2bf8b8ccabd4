import { beforeEach, expect, test } from 'vitest'
import { newWorkspace, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'

const service = await startService()
let ws: TestWorkspace
beforeEach(async () => {
  ws = await newWorkspace(service)
})

const UPDATE = '/v2/workspace/permissionproviderconfig/update'
const get = async () => (await ws.ok('/v2/workspace/permissionproviderconfig/get')).data
const update = async (data: object) => (await ws.ok(UPDATE, data)).data
const permissionProviderUrl = 'https://acme.com/permissions'

test('unset config reads back as off and empty, and the first enable leaves it empty', async () => {
  const permissionProviderConfig = { permissionProviderUrl: '', authToken: '' }
  expect(await get()).toEqual({ usePermissionProvider: false, permissionProviderConfig })
  expect(await update({ usePermissionProvider: true })).toEqual({
    usePermissionProvider: true,
    permissionProviderConfig,
  })
})

test('an update merges, and enabling keeps what was stored', async () => {
  await update({ permissionProviderConfig: { permissionProviderUrl } })
  await update({ permissionProviderConfig: { authToken: 'secret-token' } })
  const permissionProviderConfig = { permissionProviderUrl, authToken: 'secret-token' }
  expect(await update({ usePermissionProvider: true })).toEqual({
    usePermissionProvider: true,
    permissionProviderConfig,
  })
  expect(await get()).toEqual({ usePermissionProvider: true, permissionProviderConfig })
})

test('the URL can be emptied', async () => {
  await update({ permissionProviderConfig: { permissionProviderUrl } })
  const { permissionProviderConfig } = await update({ permissionProviderConfig: { permissionProviderUrl: '' } })
  expect(permissionProviderConfig.permissionProviderUrl).toBe('')
})

test.each([
  'acme.com',
  'ftp://acme.com',
  'http://',
  'javascript:alert(1)',
  'http://169.254.169.254/latest',
  'http://[::ffff:10.0.0.1]/',
  'https://user:password@acme.com/',
])('the URL cannot be %s', async (url) => {
  const { body } = await ws.call(UPDATE, { permissionProviderConfig: { permissionProviderUrl: url } })
  const issues = [{ path: 'permissionProviderConfig.permissionProviderUrl' }]
  expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT', details: { issues } })
})

test.each(['a\r\nb: c', 'café'])('the token cannot be %j, which no header can carry', async (authToken) => {
  const { body } = await ws.call(UPDATE, { permissionProviderConfig: { authToken } })
  const issues = [{ path: 'permissionProviderConfig.authToken' }]
  expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT', details: { issues } })
})

test('at least one of both fields is required', async () => {
  expect((await ws.call(UPDATE)).body.error).toMatchObject({
    status: 'INVALID_ARGUMENT',
    message: 'At least one of usePermissionProvider or permissionProviderConfig must be provided',
  })
})

test('the token is kept encrypted', async () => {
  await update({ permissionProviderConfig: { authToken: 'secret-token' } })
  const rows = await service.database.query(sql`select * from setting where api_key = ${ws.apiKey}`)
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain('secret-token')
})
