import { beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../../test/running-service.ts'
import { newWebhookWorkspace, type WebhookWorkspace } from '../../../test/webhook-workspace.ts'
import { sql } from '../../platform/db/db.ts'

const ENDPOINTS = '/v2/workspace/advancedwebhook/endpoints'
const URL_1 = 'https://example.com/hook'

let service: Service
beforeAll(async () => {
  service = await startService()
})

const create = (ws: WebhookWorkspace, data: object = {}) => ws.createEndpoint({ url: URL_1, ...data })

test('an API key has at most 500 endpoints, however many are created at once', async () => {
  const ws = await newWebhookWorkspace(service)
  const { id } = await create(ws)
  await service.database.query(sql`
    insert into webhook_endpoint (api_key, id, kind, url, enabled, encode, protect)
    select api_key, id || n, kind, url, enabled, encode, protect
    from webhook_endpoint, generate_series(1, 498) n
    where api_key = ${ws.apiKey} and id = ${id}`)
  const answers = await Promise.all(Array.from({ length: 4 }, () => ws.call(`${ENDPOINTS}/create`, { url: URL_1 })))
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.map(({ status, body }) => [status, body.error.status])).toEqual(
    Array(3).fill([429, 'RESOURCE_EXHAUSTED']),
  )
  await ws.ok(`${ENDPOINTS}/delete`, { endpointId: id })
  await create(ws)
})

const keys = (count: number, value = '') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${value.at(0) ?? 'k'}${i}`, value]))

test.each([
  ['keys', keys(50), keys(51), { another: '1' }],
  ['bytes of UTF-8', { k: 'é'.repeat(32_000) }, { k: 'é'.repeat(33_000) }, { another: 'é'.repeat(1_000) }],
])('metadata holds at most 50 keys and 64 KiB, merged values included: %s', async (_, most, over, more) => {
  const ws = await newWebhookWorkspace(service)
  const refuse = async (path: string, data: object) => {
    const { body } = await ws.call(`${ENDPOINTS}/${path}`, data)
    expect(body.error.status).toBe('INVALID_ARGUMENT')
    expect(body.error.details.issues[0].path).toBe('metadata')
  }
  await refuse('create', { url: URL_1, metadata: over })
  const { id } = await create(ws, { metadata: most })
  await refuse('update', { endpointId: id, metadata: more })
  await ws.ok(`${ENDPOINTS}/update`, { endpointId: id, metadata: most })
})
