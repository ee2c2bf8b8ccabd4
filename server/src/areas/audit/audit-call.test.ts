import { beforeAll, describe, expect, test } from 'vitest'
import { administrativeCalls, auditRecords, SECRETS } from '../../../test/administrative-calls.ts'
import { askConsole, forgetAttempts, signedIn } from '../../../test/console.ts'
import { startReceiver } from '../../../test/receiver.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import type { AuditRecord } from './audit.ts'
import { changed } from './redact.ts'

const WEBHOOKS = '/v2/workspace/advancedwebhook'
const PASSWORD = 'password-secret-6'

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  const url = `${(await startReceiver()).url}/hooks/${SECRETS.urlPath}`
  const calls = administrativeCalls(service, ws, url)
  const made = [
    '/v2/workspace/apikey/create',
    '/v2/workspace/apikey/update',
    '/v2/workspace/domains/add',
    '/v2/workspace/domains/delete',
    '/v2/workspace/apikeyconfig/update',
    '/v2/workspace/emailconfig/update',
    '/v2/workspace/webhookconfig/update',
    '/v2/workspace/advancedwebhookconfig/update',
    `${WEBHOOKS}/endpoints/create`,
    `${WEBHOOKS}/endpoints/update`,
    `${WEBHOOKS}/endpoints/secret/get`,
    `${WEBHOOKS}/endpoints/secret/rotate`,
    `${WEBHOOKS}/endpoints/delete`,
    '/v2/memory/knowledge/ingest',
  ]
  for (const path of made) expect((await calls[path]?.())?.status, path).toBeLessThan(300)
})

const recordsOf = async (workspaceId: string): Promise<AuditRecord[]> =>
  (await auditRecords(service.database, { workspaceId })).reverse()

const all = () => auditRecords(service.database)

const asWorkspace = (path: string, data: object) => service.call(path, data, ws.workspaceHeaders)

describe('a record', () => {
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
    await ask('session/set-password', { password: `${PASSWORD} long enough` })
    const shown = await asWorkspace('/v2/workspace/authtokens/get', { apiKey: ws.apiKey })
    const tokens = JSON.stringify(shown.body).match(/[A-Za-z0-9]{43}/g) ?? []
    expect(tokens.length).toBeGreaterThan(0)
    const rows = await service.database.query<{ row: string }>(sql`select to_jsonb(r)::text as row from audit_record r`)
    const text = rows.map(({ row }) => row).join('\n')
    const file = Buffer.from(SECRETS.file).toString('base64')
    const known = [
      ...Object.values(SECRETS),
      PASSWORD,
      file,
      ...tokens,
      ws.authToken,
      ...Object.values(ws.keyHeaders).slice(1),
    ]
    expect(known.filter((secret) => text.includes(secret))).toEqual([])
    expect(text).not.toMatch(/whsec_/)
    expect(text).toContain('[secret]')
  })

  test.each(['HTTP://127.0.0.1:9/services/hidden-part', 'http://127.0.0.1:9\\services\\hidden-part'])(
    'of the URL %s holds the host alone',
    async (url) => {
      await ws.ok(`${WEBHOOKS}/endpoints/create`, { url })
      const [record] = (await recordsOf(ws.id)).slice(-1)
      expect(record?.action).toBe(`${WEBHOOKS}/endpoints/create`)
      expect(JSON.stringify(record)).toContain('127.0.0.1:9')
      expect(JSON.stringify(record)).not.toContain('hidden-part')
    },
  )

  test('holds no field that the operation does not know, and is about none', async () => {
    const key = { ownerEmail: 'jane@example.com', type: 'testing', apiKey: ws.apiKey, pwd: 'hidden-part' }
    const { body } = await asWorkspace('/v2/workspace/apikey/create', key)
    const [record] = (await recordsOf(ws.id)).slice(-1)
    expect(record).toMatchObject({ action: '/v2/workspace/apikey/create', before: null, after: { type: 'testing' } })
    expect(record?.apiKey).not.toBe(ws.apiKey)
    expect(JSON.stringify(body)).toContain(record?.apiKey)
    expect(JSON.stringify(record)).not.toContain('hidden-part')
  })

  test('says how many fields it leaves out', () => {
    const domains = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`many-${n}.example.com`, true]))
    const { after } = changed({ domains: {} }, { domains })
    expect(Object.keys(after?.domains as object).length).toBe(101)
    expect(after?.domains).toMatchObject({ '…': '50 more' })
  })

  test('is not there when the change was rolled back or refused', async () => {
    const before = (await recordsOf(ws.id)).length
    // It is refused after the setting was written.
    const webhookServiceConfig = { encryptData: true, publicKey: 'no key' }
    const refused = [
      await ws.call('/v2/workspace/webhookconfig/update', { webhookServiceConfig }),
      await asWorkspace('/v2/workspace/apikey/update', { apiKey: 'unknown', apiKeyName: 'x' }),
      await ws.call('/v2/organizations/folders/delete', { organizationId: 'nowhere', folderId: 'f' }),
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
    await forgetAttempts(service)
    await askConsole(service, 'session/sign-in', { email: 'nobody@example.com', password: 'wrong' })
    const [last] = await all()
    expect(last).toMatchObject({
      action: '/console/api/session/sign-in',
      actor: 'nobody@example.com',
      detail: { refused: true, attempts: 1 },
    })
  })
})
