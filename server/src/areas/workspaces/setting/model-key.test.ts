import { beforeEach, expect, test } from 'vitest'
import { newWorkspace, startService, type TestWorkspace } from '../../../../test/running-service.ts'
import { sql } from '../../../platform/db/db.ts'

const service = await startService()
let ws: TestWorkspace
beforeEach(async () => {
  ws = await newWorkspace(service)
})

const UPDATE = '/v2/workspace/apikeyconfig/update'
const get = async () => (await ws.ok('/v2/workspace/apikeyconfig/get')).data
const set = async (...keys: [provider: string, customerApiKey: string][]) =>
  (await ws.ok(UPDATE, { aiModelApiKey: keys.map(([provider, customerApiKey]) => ({ provider, customerApiKey })) }))
    .data

test('keys for AI models merge by provider and read back masked', async () => {
  expect(await get()).not.toHaveProperty('aiModelsConfig')
  const openai = { displayText: '••••9876' }
  expect(await set(['openai', 'sk-very-secret-9876'])).toEqual({ aiModelsConfig: { openai } })
  expect(await set(['gemini', 'short'])).toEqual({ aiModelsConfig: { gemini: { displayText: '••••' } } })
  expect((await get()).aiModelsConfig).toEqual({ openai, gemini: { displayText: '••••' } })
})

test('an empty key removes the one that was set', async () => {
  await set(['openai', 'sk-very-secret-9876'], ['anthropic', 'sk-ant-very-secret'])
  expect(await set(['openai', ''])).toEqual({ aiModelsConfig: {} })
  expect(Object.keys((await get()).aiModelsConfig ?? {})).toEqual(['anthropic'])
})

test('of two keys for one provider in a request the last counts, also in the answer', async () => {
  expect(await set(['openai', 'sk-very-secret-9876'], ['openai', ''])).toEqual({ aiModelsConfig: {} })
  expect(await get()).not.toHaveProperty('aiModelsConfig')
})

test('keys are kept encrypted, for one API key, and other options stay as they were', async () => {
  await ws.ok(UPDATE, { requireJwtToken: true })
  await set(['openai', 'sk-very-secret-9876'])
  const rows = await service.database.query(sql`select * from setting where api_key = ${ws.apiKey}`)
  expect(JSON.stringify(rows)).not.toContain('very-secret')
  expect(await get()).toMatchObject({ requireJwtToken: true })
  ws = await newWorkspace(service)
  expect(await get()).not.toHaveProperty('aiModelsConfig')
})

test.each<[string, unknown]>([
  ['aiModelApiKey', []],
  ['aiModelApiKey[0].provider', [{ provider: 'mistral', customerApiKey: 'k' }]],
  ['aiModelApiKey[0].customerApiKey', [{ provider: 'openai' }]],
  ['aiModelApiKey[0].customerApiKey', [{ provider: 'openai', customerApiKey: 'a\r\nb: c' }]],
])('%s of %j is INVALID_ARGUMENT', async (path, aiModelApiKey) => {
  const { body } = await ws.call(UPDATE, { aiModelApiKey })
  expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT', details: { issues: [{ path }] } })
  expect(JSON.stringify(body)).not.toContain('b: c')
})
