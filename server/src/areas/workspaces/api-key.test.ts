import { beforeEach, describe, expect, test } from 'vitest'
import { asApiKey, newWorkspace, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { createApp } from '../../app.ts'
import { sql } from '../../platform/db/db.ts'
import { parseSecretKeys } from '../../platform/secret.ts'

const service = await startService()
const CREATE = '/v2/workspace/apikey/create'
const ownerEmail = 'jane@example.com'
const unknownKeys = async () => ['A'.repeat(20), (await newWorkspace(service)).apiKey]

let ws: TestWorkspace
beforeEach(async () => {
  ws = await newWorkspace(service)
})

const call = <Path extends string>(path: Path, data: unknown) => service.call(path, data, ws.workspaceHeaders)
const createKey = async (data: object) => {
  const { body } = await call(CREATE, { ownerEmail, type: 'testing', ...data })
  return asApiKey(service, body.result.data.apiKey)
}

describe('apikey/create', () => {
  test('answers the key alone; its token is read with authtokens/get', async () => {
    const { status, body } = await call(CREATE, { ownerEmail, type: 'testing' })
    expect(status).toBe(200)
    const { apiKey } = body.result.data
    expect(body.result).toEqual({ status: 'success', message: 'API key created successfully.', data: { apiKey } })
    const tokens = await call('/v2/workspace/authtokens/get', { apiKey })
    const authTokens = [{ token: expect.any(String), name: 'Default Auth Token', domains: [] }]
    expect(tokens.body.result.data).toEqual({ apiKey, authTokens })
    const token = tokens.body.result.data.authTokens[0]?.token ?? ''
    const headers = { 'x-service-api-key': apiKey, 'x-service-auth-token': token }
    expect((await service.call('/v2/workspace/domains/get', {}, headers)).status).toBe(200)
  })

  test('createAuthToken: false makes none, until it is reset', async () => {
    const { apiKey } = (await call(CREATE, { ownerEmail, type: 'testing', createAuthToken: false })).body.result.data
    const tokens = () => call('/v2/workspace/authtokens/get', { apiKey })
    expect((await tokens()).body.result.data.authTokens).toEqual([])
    const { newAuthToken } = (await call('/v2/workspace/authtoken/reset', { apiKey })).body.result.data
    expect((await tokens()).body.result.data.authTokens).toEqual([newAuthToken])
  })

  test.each([
    ['ownerEmail is required', { type: 'testing' }, 'ownerEmail'],
    ['ownerEmail must be an address', { ownerEmail: 'jane', type: 'testing' }, 'ownerEmail'],
    ['type is required', { ownerEmail }, 'type'],
    ['type is testing or production', { ownerEmail, type: 'free' }, 'type'],
    ['apiKeyName is not empty', { ownerEmail, type: 'testing', apiKeyName: '' }, 'apiKeyName'],
    ['apiKeyName is not blanks only', { ownerEmail, type: 'testing', apiKeyName: ' ' }, 'apiKeyName'],
    ['allowedDomains are domains', { ownerEmail, type: 'testing', allowedDomains: ['a', 'b c'] }, 'allowedDomains[1]'],
    [
      'webhook URLs are http(s)',
      { ownerEmail, type: 'testing', webhookServiceConfig: { rawNotificationUrl: 'ftp://a' } },
      'webhookServiceConfig.rawNotificationUrl',
    ],
    [
      'webhook URLs name no forbidden address',
      { ownerEmail, type: 'testing', webhookServiceConfig: { processedNotificationUrl: 'http://169.254.169.254/' } },
      'webhookServiceConfig.processedNotificationUrl',
    ],
  ])('%s', async (_, data, path) => {
    const { status, body } = await call(CREATE, data)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT', details: { issues: [{ path }] } })
  })

  test('production keys are allowed by default and refused by PRODUCTION_KEYS=refused', async () => {
    expect((await call(CREATE, { ownerEmail, type: 'production' })).status).toBe(200)
    const { config, log } = service.app.services
    const app = createApp({
      config: { ...config, productionKeys: 'refused' },
      database: service.database,
      secretKeys: parseSecretKeys(`test:${Buffer.alloc(32, 7).toString('base64')}`),
      log,
    })
    const [production, testing] = await Promise.all(
      ['production', 'testing'].map((type) =>
        app.http.inject({
          method: 'POST',
          url: CREATE,
          headers: ws.workspaceHeaders,
          payload: { data: { ownerEmail, type } },
        }),
      ),
    )
    expect(production?.json().error.status).toBe('PERMISSION_DENIED')
    expect(testing?.statusCode).toBe(200)
    await app.http.close()
  })

  test('its options, allowed domains and services are those it was created with', async () => {
    const emailServiceConfig = { type: 'sendgrid', apiKey: 'SG.1', fromEmail: 'a@b.co' }
    const webhookServiceConfig = { authToken: 't', rawNotificationUrl: 'https://a.example/raw' }
    const key = await createKey({
      allowedDomains: ['https://www.acme.com/x'],
      addLocalHostToAllowedDomains: true,
      requireAutoOrgUser: false,
      enablePrivateComments: true,
      useEmailService: true,
      emailServiceConfig,
      useNotificationService: true,
      useWebhookService: true,
      webhookServiceConfig,
    })
    const domains = (await key.ok('/v2/workspace/domains/get')).data.allowedDomains
    expect(domains).toEqual(['127.0.0.1', 'acme.com', 'localhost'])
    const options = { ownerEmail, requireAutoOrgUser: false, isPrivateCommentsEnabled: true, requireJwtToken: false }
    expect((await key.ok('/v2/workspace/apikeyconfig/get')).data).toMatchObject(options)
    const email = (await key.ok('/v2/workspace/emailconfig/get')).data
    expect(email).toMatchObject({ useEmailService: true, emailServiceConfig })
    expect(email.emailServiceConfig.triggers).toMatchObject({ 'comment.add': true, 'huddle.join': true })
    const webhook = (await key.ok('/v2/workspace/webhookconfig/get')).data
    expect(webhook).toMatchObject({ useWebhookService: true, webhookServiceConfig })
    expect(webhook.webhookServiceConfig.triggers).toMatchObject({ 'comment.add': true, 'recorder.done': false })
    const [raw] = await service.database.query(sql`
      select url, enabled from webhook_endpoint where api_key = ${key.apiKey} and id = 'raw'`)
    expect(raw).toEqual({ url: webhookServiceConfig.rawNotificationUrl, enabled: true })
    const notification = (await key.ok('/v2/workspace/notificationconfig/get')).data
    expect(notification).toMatchObject({
      useNotificationService: true,
      notificationServiceConfig: { triggers: { comment: { added: true } } },
    })
  })

  test('setDefaultEmailTriggers and setDefaultNotificationTriggers store the standard triggers of services that stay off', async () => {
    const key = await createKey({ setDefaultEmailTriggers: true, setDefaultNotificationTriggers: true })
    const email = (await key.ok('/v2/workspace/emailconfig/get')).data
    expect(email).toMatchObject({ useEmailService: false, emailServiceConfig: { triggers: { 'comment.add': true } } })
    const notification = (await key.ok('/v2/workspace/notificationconfig/get')).data
    expect(notification.useNotificationService).toBe(false)
    expect(notification.notificationServiceConfig.triggers.huddle).toEqual({ created: true, join: true })
  })
})

describe('apikey/update', () => {
  test('renames the key and answers null', async () => {
    const { body } = await call('/v2/workspace/apikey/update', { apiKey: ws.apiKey, apiKeyName: 'Site' })
    expect(body.result).toEqual({ status: 'success', message: 'API key updated successfully.', data: null })
    const workspace = await call('/v2/workspace/get', {})
    expect(workspace.body.result.data.apiKeyList[ws.apiKey]?.apiKeyName).toBe('Site')
  })

  test('takes a name of blanks only for empty', async () => {
    const { status, body } = await call('/v2/workspace/apikey/update', { apiKey: ws.apiKey, apiKeyName: ' ' })
    expect(status).toBe(400)
    expect(body.error.message).toContain('apiKeyName must not be empty')
  })
})

test.each([
  ['/v2/workspace/apikey/update', { apiKeyName: 'Theirs' }],
  ['/v2/workspace/authtokens/get', {}],
  ['/v2/workspace/authtoken/reset', {}],
])("%s of an unknown key and of another workspace's: NOT_FOUND", async (path, data) => {
  for (const apiKey of await unknownKeys()) {
    const { status, body } = await call(path, { apiKey, ...data })
    expect(status).toBe(404)
    expect(body.error).toMatchObject({ status: 'NOT_FOUND', message: 'API key not found.' })
  }
})

describe('apikeys/get', () => {
  const get = async (data: object = {}) => (await call('/v2/workspace/apikeys/get', data)).body.result
  const ids = (result: { data: { id: string }[] }) => result.data.map(({ id }) => id)

  test('lists the keys of the workspace alone, in order of creation, with their names and types', async () => {
    const { apiKey } = (await call(CREATE, { ownerEmail, type: 'production', apiKeyName: 'Live' })).body.result.data
    const result = await get()
    expect(ids(result)).toEqual([ws.apiKey, apiKey])
    expect(result.data[1]).toEqual({ id: apiKey, apiKeyName: 'Live', type: 'production' })
    expect(result.nextPageToken).toBeNull()
  })

  test('apiKeys narrows; an empty list means none, and foreign keys are left out', async () => {
    const [, foreign] = await unknownKeys()
    const { apiKey } = await createKey({})
    expect(ids(await get({ apiKeys: [apiKey, foreign] }))).toEqual([apiKey])
    expect(ids(await get({ apiKeys: [] }))).toEqual([])
  })

  test('pages lose and repeat nothing, also while keys are added', async () => {
    const keys = [ws.apiKey]
    for (let i = 0; i < 4; i++) keys.push((await createKey({})).apiKey)
    const first = await get({ pageSize: 2 })
    const second = await get({ pageSize: 2, pageToken: first.nextPageToken })
    keys.push((await createKey({})).apiKey)
    const third = await get({ pageSize: 2, pageToken: second.nextPageToken })
    expect([first, second, third].flatMap(ids)).toEqual(keys)
    expect(third.nextPageToken).toBeNull()
  })

  test.each([0, 101, 1.5, '10'])('pageSize %s is INVALID_ARGUMENT', async (pageSize) => {
    expect((await call('/v2/workspace/apikeys/get', { pageSize })).body.error.status).toBe('INVALID_ARGUMENT')
  })

  test('a page token of other filters, of another workspace, or made up is INVALID_ARGUMENT', async () => {
    await createKey({})
    const { nextPageToken: pageToken } = await get({ pageSize: 1 })
    const { workspaceHeaders } = await newWorkspace(service)
    const answers = await Promise.all([
      call('/v2/workspace/apikeys/get', { apiKeys: [ws.apiKey], pageToken }),
      service.call('/v2/workspace/apikeys/get', { pageToken }, workspaceHeaders),
      call('/v2/workspace/apikeys/get', { pageToken: 'x' }),
    ])
    expect(answers.map(({ body }) => body.error?.status)).toEqual(Array(3).fill('INVALID_ARGUMENT'))
  })
})
