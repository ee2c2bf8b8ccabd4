import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService } from '../../../test/running-service.ts'
import { standardTriggers } from '../workspaces/setting/trigger.ts'

const GET = '/v2/workspace/webhookconfig/get'
const UPDATE = '/v2/workspace/webhookconfig/update'

let service: Service
beforeAll(async () => {
  service = await startService()
})

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')

const unset = {
  authToken: '',
  rawNotificationUrl: '',
  processedNotificationUrl: '',
  encodeData: false,
  encryptData: false,
  publicKey: '',
  enableDataProtection: false,
  triggers: {},
}

test('unset strings read back as empty strings, the service as off', async () => {
  const ws = await newWorkspace(service)
  const { data } = await ws.ok(GET)
  expect(data).toEqual({ useWebhookService: false, webhookServiceConfig: unset })
})

test('the first enable seeds comment and huddle on, crdt, recorder and suggestions off', async () => {
  const ws = await newWorkspace(service)
  const { data } = await ws.ok(UPDATE, { useWebhookService: true })
  expect(data.useWebhookService).toBe(true)
  expect(data.webhookServiceConfig).toEqual({
    ...unset,
    triggers: standardTriggers(['comment', 'huddle', 'crdt', 'recorder']),
  })
  expect(data.webhookServiceConfig.triggers).toMatchObject({
    'comment.add': true,
    'huddle.join': true,
    'crdt.update_data': false,
    'recorder.done': false,
    'comment_annotation.suggestion_accept': false,
    'comment_annotation.suggestion_reject': false,
  })
})

test('the first enable keeps stored non-trigger fields and merges what is sent over the defaults', async () => {
  const ws = await newWorkspace(service)
  await ws.ok(UPDATE, { webhookServiceConfig: { authToken: 'token-1', rawNotificationUrl: 'https://example.com/raw' } })
  const { data } = await ws.ok(UPDATE, {
    useWebhookService: true,
    webhookServiceConfig: { triggers: { 'comment.add': false }, enableDataProtection: true },
  })
  expect(data.webhookServiceConfig).toMatchObject({
    authToken: 'token-1',
    rawNotificationUrl: 'https://example.com/raw',
    enableDataProtection: true,
    triggers: { 'comment.add': false, 'comment.update': true },
  })
})

test('the first enable keeps a stored enableDataProtection, which is not a trigger field', async () => {
  const ws = await newWorkspace(service)
  await ws.ok(UPDATE, { webhookServiceConfig: { enableDataProtection: true } })
  const { data } = await ws.ok(UPDATE, { useWebhookService: true })
  expect(data.webhookServiceConfig.enableDataProtection).toBe(true)
})

test('stored triggers are not seeded over', async () => {
  const ws = await newWorkspace(service)
  await ws.ok(UPDATE, { webhookServiceConfig: { triggers: { 'comment.add': false } } })
  const { data } = await ws.ok(UPDATE, { useWebhookService: true })
  expect(data.webhookServiceConfig.triggers).toEqual({ 'comment.add': false })
})

test('an update is partial: what it leaves out stays, and reads back', async () => {
  const ws = await newWorkspace(service)
  await ws.ok(UPDATE, { useWebhookService: true, webhookServiceConfig: { authToken: 'a', encodeData: true } })
  await ws.ok(UPDATE, { webhookServiceConfig: { processedNotificationUrl: 'http://example.com/p' } })
  const { data } = await ws.ok(GET)
  expect(data).toMatchObject({
    useWebhookService: true,
    webhookServiceConfig: { authToken: 'a', encodeData: true, processedNotificationUrl: 'http://example.com/p' },
  })
})

test('at least one of useWebhookService or webhookServiceConfig is required', async () => {
  const ws = await newWorkspace(service)
  const { status, body } = await ws.call(UPDATE, {})
  expect([status, body.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
  expect(body.error.message).toContain('useWebhookService or webhookServiceConfig')
})

test.each([
  ['rawNotificationUrl', 'ftp://example.com'],
  ['rawNotificationUrl', 'nonsense'],
  ['processedNotificationUrl', 'http://10.0.0.1/hook'],
  ['processedNotificationUrl', 'http://169.254.169.254/latest'],
  ['rawNotificationUrl', 'http://user:secret@example.com/'],
])('an invalid webhook configuration is INVALID_ARGUMENT naming the field: %s %s', async (field, url) => {
  const ws = await newWorkspace(service)
  const { status, body } = await ws.call(UPDATE, { webhookServiceConfig: { [field]: url } })
  expect([status, body.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
  expect(body.error.details.issues[0].path).toBe(`webhookServiceConfig.${field}`)
  expect((await ws.ok(GET)).data.webhookServiceConfig).toEqual(unset)
})

test('encryptData without a usable publicKey is INVALID_ARGUMENT', async () => {
  const ws = await newWorkspace(service)
  const short = generateKeyPairSync('rsa', { modulusLength: 512 }).publicKey.export({ type: 'spki', format: 'der' })
  for (const publicKey of [undefined, 'AAAA', short.toString('base64')]) {
    const { body } = await ws.call(UPDATE, { webhookServiceConfig: { encryptData: true, publicKey } })
    expect(body.error.details.issues[0].path).toBe('webhookServiceConfig.publicKey')
  }
  await ws.ok(UPDATE, { webhookServiceConfig: { encryptData: true, publicKey: spki } })
  const { body } = await ws.call(UPDATE, { webhookServiceConfig: { publicKey: '' } })
  expect(body.error.status).toBe('INVALID_ARGUMENT')
})

test.each(['line\nbreak', 'tab\t', 'caf\u00e9', 'snow\u2603', 'delete\u007f', 'x'.repeat(2001)])(
  'an authToken that no header can carry is INVALID_ARGUMENT: %j',
  async (authToken) => {
    const ws = await newWorkspace(service)
    const { body } = await ws.call(UPDATE, { webhookServiceConfig: { authToken } })
    expect(body.error.status).toBe('INVALID_ARGUMENT')
    expect(body.error.details.issues[0].path).toBe('webhookServiceConfig.authToken')
  },
)

test('an authToken of visible ASCII characters and spaces, up to 2,000, is kept', async () => {
  const ws = await newWorkspace(service)
  const visible = String.fromCharCode(...Array.from({ length: 95 }, (_, i) => 32 + i))
  for (const authToken of [visible, 'x'.repeat(2000), '']) {
    const { data } = await ws.ok(UPDATE, { webhookServiceConfig: { authToken } })
    expect(data.webhookServiceConfig.authToken).toBe(authToken)
  }
})

test.each([
  ['webhookServiceConfig.triggers', (most: object) => most],
  ['webhookServiceConfig.triggers.comment', (most: object) => ({ comment: most })],
])('more than 200 keys in %s are INVALID_ARGUMENT', async (path, of) => {
  const ws = await newWorkspace(service)
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, true]))
  await ws.ok(UPDATE, { webhookServiceConfig: { triggers: of(keys(200)) } })
  const { body } = await ws.call(UPDATE, { webhookServiceConfig: { triggers: of(keys(201)) } })
  expect(body.error.status).toBe('INVALID_ARGUMENT')
  expect(body.error.details.issues[0].path).toBe(path)
})
