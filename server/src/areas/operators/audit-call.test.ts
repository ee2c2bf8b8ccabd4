import { beforeAll, describe, expect, test } from 'vitest'
import { askConsole, signedIn } from '../../../test/console.ts'
import { startReceiver } from '../../../test/receiver.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { consoleRegistry, registry } from '../../operations.ts'
import { sql } from '../../platform/db/db.ts'
import { listOperations } from '../../platform/operation.ts'
import { type AuditRecord, listAudit } from './audit.ts'
import { rightOf } from './right.ts'

const WEBHOOKS = '/v2/workspace/advancedwebhook'
const SECRETS = {
  mail: 'SG.mail-secret-1',
  webhookToken: 'token-secret-2',
  urlPath: 'path-secret-3',
  model: 'sk-model-secret-4',
  header: 'header-secret-5',
  password: 'password-secret-6',
}

let service: Service
let ws: TestWorkspace
let url: string

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  url = `${(await startReceiver()).url}/hooks/${SECRETS.urlPath}`
})

const recordsOf = async (workspaceId: string): Promise<AuditRecord[]> =>
  (await listAudit(service.database, { workspaceId }, Number.MAX_SAFE_INTEGER, 1000)).reverse()

const all = () => listAudit(service.database, {}, Number.MAX_SAFE_INTEGER, 10_000)

const asWorkspace = (path: string, data: object) => service.call(path, data, ws.workspaceHeaders)

interface Made {
  status: number
  body: { result: { data: Record<string, unknown> } }
}

const made: { apiKey: string; endpointId: string; deliveryId: string } = { apiKey: '', endpointId: '', deliveryId: '' }

/** A call of each operation that administers, in an order in which all of them succeed. */
const calls: Record<string, () => Promise<unknown>> = {
  '/v2/workspace/create': () => service.call('/v2/workspace/create', { ownerEmail: 'audit@example.com' }),
  '/v2/workspace/apikey/create': async () => {
    const answer = await asWorkspace('/v2/workspace/apikey/create', { ownerEmail: 'a@example.com', type: 'testing' })
    made.apiKey = String((answer as Made).body.result.data.apiKey)
    return answer
  },
  '/v2/workspace/apikey/update': () =>
    asWorkspace('/v2/workspace/apikey/update', { apiKey: made.apiKey, apiKeyName: 'Renamed', disabled: true }),
  '/v2/workspace/authtokens/get': () => asWorkspace('/v2/workspace/authtokens/get', { apiKey: ws.apiKey }),
  '/v2/workspace/authtoken/reset': () => asWorkspace('/v2/workspace/authtoken/reset', { apiKey: made.apiKey }),
  '/v2/workspace/apikey/delete': () => asWorkspace('/v2/workspace/apikey/delete', { apiKey: made.apiKey }),
  '/v2/workspace/apikeyconfig/update': () =>
    ws.call('/v2/workspace/apikeyconfig/update', {
      advancedQueries: false,
      aiModelApiKey: [{ model: 'openai', key: SECRETS.model }],
    }),
  '/v2/workspace/domains/add': () =>
    ws.call('/v2/workspace/domains/add', { domains: ['a.example.com', 'b.example.com'] }),
  '/v2/workspace/domains/delete': () => ws.call('/v2/workspace/domains/delete', { domains: ['a.example.com'] }),
  '/v2/workspace/emailconfig/update': () =>
    ws.call('/v2/workspace/emailconfig/update', {
      useEmailService: true,
      emailServiceConfig: { apiKey: SECRETS.mail, fromEmail: 'from@example.com' },
    }),
  '/v2/workspace/webhookconfig/update': () =>
    ws.call('/v2/workspace/webhookconfig/update', {
      useWebhookService: true,
      webhookServiceConfig: { authToken: SECRETS.webhookToken, rawNotificationUrl: url },
    }),
  '/v2/workspace/activityconfig/update': () =>
    ws.call('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } }),
  '/v2/workspace/notificationconfig/update': () =>
    ws.call('/v2/workspace/notificationconfig/update', { useNotificationService: true }),
  '/v2/workspace/permissionproviderconfig/update': () =>
    ws.call('/v2/workspace/permissionproviderconfig/update', { permissionProviderConfig: {} }),
  '/v2/workspace/advancedwebhookconfig/update': () =>
    ws.call('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true }),
  [`${WEBHOOKS}/endpoints/create`]: async () => {
    const answer = await ws.call(`${WEBHOOKS}/endpoints/create`, { url })
    made.endpointId = String((answer as Made).body.result.data.id)
    return answer
  },
  [`${WEBHOOKS}/endpoints/update`]: () =>
    ws.call(`${WEBHOOKS}/endpoints/update`, { endpointId: made.endpointId, description: 'changed' }),
  [`${WEBHOOKS}/endpoints/secret/get`]: () =>
    ws.call(`${WEBHOOKS}/endpoints/secret/get`, { endpointId: made.endpointId }),
  [`${WEBHOOKS}/endpoints/secret/rotate`]: () =>
    ws.call(`${WEBHOOKS}/endpoints/secret/rotate`, { endpointId: made.endpointId }),
  [`${WEBHOOKS}/endpoints/test`]: async () => {
    const answer = await ws.call(`${WEBHOOKS}/endpoints/test`, {
      endpointId: made.endpointId,
      eventType: 'comment.add',
    })
    await service.drainJobs()
    const [delivery] = (await ws.ok(`${WEBHOOKS}/deliveries/list`, {})).data
    made.deliveryId = delivery?.id ?? ''
    return answer
  },
  [`${WEBHOOKS}/deliveries/resend`]: () => ws.call(`${WEBHOOKS}/deliveries/resend`, { deliveryId: made.deliveryId }),
  [`${WEBHOOKS}/deliveries/replay`]: () =>
    ws.call(`${WEBHOOKS}/deliveries/replay`, {
      endpointId: made.endpointId,
      dateRange: { start: Date.now() - 3_600_000, end: Date.now() },
    }),
  [`${WEBHOOKS}/endpoints/delete`]: () => ws.call(`${WEBHOOKS}/endpoints/delete`, { endpointId: made.endpointId }),
  '/v2/organizations/access/disablestate/update': () =>
    ws.call('/v2/organizations/access/disablestate/update', { organizationIds: ['acme'], disabled: true }),
  '/v2/activities/export': () => ws.call('/v2/activities/export', { organizationId: 'acme', format: 'csv' }),
  '/v2/memory/judgments/export': () => ws.call('/v2/memory/judgments/export', { organizationId: 'acme' }),
  '/v2/users/data/get': () => ws.call('/v2/users/data/get', { organizationId: 'acme', userIds: ['ada'] }),
  '/v2/users/data/delete': () => ws.call('/v2/users/data/delete', { organizationId: 'acme', userIds: ['ada'] }),
  '/v2/organizations/delete': () => ws.call('/v2/organizations/delete', { organizationIds: ['acme'] }),
}

const every = listOperations(registry)
const administering = every
  .filter(({ declaration }) => declaration.administers)
  .map(({ declaration }) => declaration.path)

describe('every operation that administers', () => {
  test('is marked: whatever changes keys, webhooks, settings or the installation', () => {
    const unmarked = [...every, ...listOperations(consoleRegistry)].filter(({ declaration }) => {
      const { path, access, administers } = declaration
      const right = rightOf(path) ?? ''
      const changes = access === 'write' && (path.startsWith('/v2/workspace/') || /^(develop|operate)$/.test(right))
      return (changes || /\/export$/.test(path)) && !administers
    })
    expect(unmarked.map(({ declaration }) => declaration.path)).toEqual([])
    expect(Object.keys(calls).toSorted()).toEqual(administering.toSorted())
  })

  test('leaves exactly one record, and other operations leave none', async () => {
    await ws.ok('/v2/users/add', { organizationId: 'acme', users: [{ userId: 'ada', name: 'Ada' }] })
    await ws.ok('/v2/organizations/documents/add', { organizationId: 'acme', documents: [{ documentId: 'd' }] })
    await ws.ok('/v2/users/get', { organizationId: 'acme' })
    await ws.ok('/v2/workspace/apikeyconfig/get', {})
    expect((await recordsOf(ws.id)).map(({ action }) => action)).toEqual(['/v2/workspace/create'])
    for (const [path, call] of Object.entries(calls)) {
      const before = await all()
      const { status, body } = (await call()) as Made
      expect(status, `${path} ${JSON.stringify(body)}`).toBeLessThan(300)
      const known = new Set(before.map(({ seq }) => seq))
      const fresh = (await all()).filter(({ seq }) => !known.has(seq))
      expect([path, fresh.map(({ action }) => action)]).toEqual([path, [path]])
    }
  }, 120_000)

  test('tells who, from where, and by which request', async () => {
    const answer = await asWorkspace('/v2/workspace/apikey/update', { apiKey: ws.apiKey, apiKeyName: 'First' })
    const byKey = await ws.call('/v2/workspace/domains/add', { domains: ['c.example.com'] })
    const [first, second] = (await recordsOf(ws.id)).slice(-2)
    const address = expect.stringMatching(/127\.0\.0\.1$/)
    const about = { door: 'api', address, workspaceId: ws.id, apiKey: ws.apiKey, chain: ws.id }
    const requestOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id')
    expect(first).toMatchObject({ ...about, actor: ws.id, role: 'workspace', requestId: requestOf(answer) })
    expect(second).toMatchObject({ ...about, actor: ws.apiKey, role: 'apiKey', requestId: requestOf(byKey) })
  })
})

describe('a record', () => {
  test('shows what stood there before and after, and only what changed', async () => {
    const [created, renamed] = (await recordsOf(ws.id)).filter(({ action }) => /apikey\/(create|update)/.test(action))
    expect(created).toMatchObject({ before: null, after: { type: 'testing', disabled: false, deleted: false } })
    expect(renamed?.before).toEqual({ apiKeyName: 'A Test API Key', disabled: false })
    expect(renamed?.after).toEqual({ apiKeyName: 'Renamed', disabled: true })
    const last = async (action: string) => (await recordsOf(ws.id)).findLast((record) => record.action === action)
    expect(await last('/v2/workspace/domains/delete')).toMatchObject({
      before: { domains: { 'a.example.com': true } },
      after: { domains: {} },
    })
    const update = await last(`${WEBHOOKS}/endpoints/update`)
    expect(update).toMatchObject({ before: { description: '' }, after: { description: 'changed' } })
    expect(Object.keys(update?.before ?? {}).toSorted()).toEqual(['description', 'updatedAt'])
    expect(await last(`${WEBHOOKS}/endpoints/delete`)).toMatchObject({
      after: null,
      before: { description: 'changed' },
    })
    expect((await last('/v2/workspace/emailconfig/update'))?.after).toMatchObject({ isOn: true })
  })

  test('holds no secret: neither what was sent, nor what was made or shown', async () => {
    const { ask } = await signedIn(service, 'operator')
    await ask('session/set-password', { password: `${SECRETS.password} long enough` })
    const shown = await asWorkspace('/v2/workspace/authtokens/get', { apiKey: ws.apiKey })
    const tokens = JSON.stringify(shown.body).match(/[A-Za-z0-9]{43}/g) ?? []
    expect(tokens.length).toBeGreaterThan(0)
    const rows = await service.database.query<{ row: string }>(sql`select to_jsonb(r)::text as row from audit_record r`)
    const text = rows.map(({ row }) => row).join('\n')
    const known = [...Object.values(SECRETS), ...tokens, ws.authToken, ...Object.values(ws.keyHeaders).slice(1)]
    expect(known.filter((secret) => text.includes(secret))).toEqual([])
    expect(text).not.toMatch(/whsec_/)
    expect(text).toContain('[secret]')
  })

  test('is not there when the change was rolled back or refused', async () => {
    const before = (await recordsOf(ws.id)).length
    // It is refused after the setting was written.
    const webhookServiceConfig = { encryptData: true, publicKey: 'no key' }
    const refused = [
      await ws.call('/v2/workspace/webhookconfig/update', { webhookServiceConfig }),
      await asWorkspace('/v2/workspace/apikey/update', { apiKey: 'unknown', apiKeyName: 'x' }),
      await ws.call(`${WEBHOOKS}/endpoints/delete`, { endpointId: 'ep_unknown' }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 404, 404])
    expect((await recordsOf(ws.id)).length).toBe(before)
  })

  test('is left once by a call that is repeated with its Idempotency-Key', async () => {
    const before = (await recordsOf(ws.id)).length
    const headers = { ...ws.keyHeaders, 'idempotency-key': 'once' }
    for (let i = 0; i < 2; i++)
      await service.call('/v2/workspace/domains/add', { domains: ['once.example.com'] }, headers)
    expect((await recordsOf(ws.id)).length).toBe(before + 1)
  })

  test('of a call by the console names the operator', async () => {
    const { ask, email } = await signedIn(service, 'admin')
    const call = {
      apiKey: ws.apiKey,
      operation: '/v2/workspace/domains/add',
      data: { domains: ['console.example.com'] },
    }
    expect((await ask('call', call)).status).toBe(200)
    expect((await recordsOf(ws.id)).at(-1)).toMatchObject({
      actor: email,
      role: 'admin',
      door: 'console',
      apiKey: ws.apiKey,
      before: { domains: {} },
      after: { domains: { 'console.example.com': true } },
    })
  })

  test('of a refused sign-in counts the attempts of its address', async () => {
    await service.database.query(sql`delete from rate_limit where key like 'console%'`)
    await askConsole(service, 'session/sign-in', { email: 'nobody@example.com', password: 'wrong' })
    const [last] = await all()
    expect(last).toMatchObject({
      action: '/console/api/session/sign-in',
      actor: 'nobody@example.com',
      detail: { refused: true, attempts: 1 },
    })
  })
})
