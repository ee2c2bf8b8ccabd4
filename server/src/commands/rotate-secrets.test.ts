import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildOnce } from '../../test/process.ts'
import { freshNativeUrl, startService, testDatabase } from '../../test/running-service.ts'
import { createApp } from '../app.ts'
import { resealLogs } from '../areas/activities/log/reseal-logs.ts'
import { unsubscribeUrl } from '../areas/email/unsubscribe.ts'
import { replaceAuthToken } from '../areas/workspaces/api-key.ts'
import { type Database, type Db, type Sql, sql } from '../platform/db/db.ts'
import { openPostgres } from '../platform/db/postgres.ts'
import { keyOf } from '../platform/id.ts'
import { rotateColumn } from '../platform/keys/rotation.ts'
import { createTokenSigner, publishedKeys } from '../platform/keys/signing-key.ts'
import { migrate } from '../platform/migrate.ts'
import { createSecrets, type SecretKey } from '../platform/secret.ts'
import { sealedColumns } from '../sealed-columns.ts'

const [oldKey, newKey] = [
  { id: 'old', key: Buffer.alloc(32, 1) },
  { id: 'new', key: Buffer.alloc(32, 2) },
]
const { config, log } = (await startService()).app.services
const both = createSecrets([newKey, oldKey])
const onlyNew = createSecrets([newKey])

let database: Database
beforeAll(async () => {
  database = await testDatabase()
  return () => database.close()
})
beforeEach(async () => {
  await rotateAll(database)
  await database.query(sql`delete from signing_key`)
})

/** The service with some of the keys, called without a socket. */
function serviceWith(...secretKeys: SecretKey[]) {
  const { http } = createApp({ config, database, secretKeys, log })
  return async (url: string, data: object, headers = {}) => {
    const answer = await http.inject({ method: 'POST', url, payload: { data }, headers })
    if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.body}`)
    return answer.json().result
  }
}

type Call = ReturnType<typeof serviceWith>

/** A workspace with a value in every encrypted column. The keys are those of the service that is called. */
async function makeSecrets(call: Call, keys = [oldKey]) {
  const { id, authToken, apiKeyList } = (
    await call('/v2/workspace/create', { ownerEmail: `${randomUUID()}@example.com` })
  ).data
  const ofWorkspace = { 'x-service-workspace-id': id, 'x-service-workspace-auth-token': authToken }
  const [apiKey = ''] = Object.keys(apiKeyList)
  const { authTokens } = (await call('/v2/workspace/authtokens/get', { apiKey }, ofWorkspace)).data
  const ofKey = { 'x-service-api-key': apiKey, 'x-service-auth-token': authTokens[0].token }
  await call('/v2/workspace/emailconfig/update', { emailServiceConfig: { apiKey: 'SG.1' } }, ofKey)
  await call('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true }, ofKey)
  const endpoint = { url: 'https://example.com/hook' }
  const endpointId = (await call('/v2/workspace/advancedwebhook/endpoints/create', endpoint, ofKey)).data.id
  await database.transaction((db) => createTokenSigner(createSecrets(keys)).sign(db, {}))
  return { apiKey, ofWorkspace, ofKey, endpointId }
}

/** Every call that needs a secret of a workspace. */
async function readSecrets(
  call: Call,
  { apiKey, ofWorkspace, ofKey, endpointId }: Awaited<ReturnType<typeof makeSecrets>>,
) {
  const idempotent = { ...ofWorkspace, 'idempotency-key': 'once' }
  return {
    created: await call('/v2/workspace/apikey/create', { ownerEmail: 'jane@example.com', type: 'testing' }, idempotent),
    workspace: await call('/v2/workspace/get', {}, ofWorkspace),
    tokens: await call('/v2/workspace/authtokens/get', { apiKey }, ofWorkspace),
    email: await call('/v2/workspace/emailconfig/get', {}, ofKey),
    endpoint: await call('/v2/workspace/advancedwebhook/endpoints/secret/get', { endpointId }, ofKey),
  }
}

async function rotateAll(db: Db) {
  const counts = new Map<string, number>()
  for (const column of sealedColumns) counts.set(column.table, await rotateColumn(db, both, column))
  return Object.fromEntries(counts)
}

const tokenColumn = sealedColumns.filter(({ table }) => table === 'auth_token')

// Workers make these again where an earlier master key sealed them.
const MADE_AGAIN = ['judgment_chunk', 'judgment_head']

test('every sealed column of the schema is rotated', async () => {
  const inSchema = await database.query<{ name: string }>(sql`
    select table_name || '.' || column_name as name
    from information_schema.columns
    where table_schema = 'public' and column_name like '%sealed' and table_name <> all (${MADE_AGAIN}::text[])
    order by 1`)
  const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`)
  expect(listed.filter((name) => name.endsWith('sealed')).sort()).toEqual(inSchema.map(({ name }) => name))
})

test('after a rotation the old key can be dropped: every secret reads as before', async () => {
  const before = serviceWith(oldKey)
  const made = await makeSecrets(before)
  const read = await readSecrets(before, made)
  expect(await rotateAll(database)).toMatchObject({
    workspace: 1,
    auth_token: 2,
    setting: 1,
    webhook_secret: 1,
    idempotency_key: 1,
    signing_key: 1,
  })
  expect(await readSecrets(serviceWith(newKey), made)).toEqual(read)
  const token = await database.transaction((db) => createTokenSigner(onlyNew).sign(db, {}))
  const { kid } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
  expect((await publishedKeys(database)).keys.map((key) => key.kid)).toEqual([kid])
})

test('after a rotation the activity logs are valid under the new key alone, and a forged one is still found', async () => {
  const before = serviceWith(oldKey)
  const { ofKey } = await makeSecrets(before)
  for (const organizationId of ['sound', 'forged']) await writeActivity(before, ofKey, organizationId)
  await database.query(sql`update activity_log set count = 7 where organization_key = ${keyOf('forged')}::uuid`)
  await rotateAll(database)
  expect(await resealLogs(database, both)).toBe(1)
  expect(await resealLogs(database, both)).toBe(0)
  const after = serviceWith(newKey)
  const verify = async (organizationId: string) =>
    (await after('/v2/activities/verify', { organizationId }, ofKey)).data
  expect(await verify('sound')).toMatchObject({ valid: true, count: 1 })
  expect((await verify('forged')).valid).toBe(false)
})

test('at each step of the guide, processes before and after their restart work side by side', async () => {
  const guide = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
  const [, section = ''] = guide.split('## Rotating the master key')
  const settings = [...section.matchAll(/^\d\. .*`SECRET_KEYS="(.+?)"`/gm)].map(([, keys = '']) =>
    keys.split(',').map((key) => (key.endsWith(':NEW') ? newKey : oldKey)),
  )
  expect(settings.at(-1)).toEqual([newKey])
  let restarting = [oldKey]
  for (const restarted of settings) {
    if (restarted.length === 1) {
      await rotateAll(database)
      await resealLogs(database, both)
    }
    const [before, after] = [serviceWith(...restarting), serviceWith(...restarted)]
    const made = await makeSecrets(after, restarted)
    expect(await readSecrets(before, made)).toEqual(await readSecrets(after, made))
    for (const call of [before, after, before, after]) await writeActivity(call, made.ofKey, 'acme')
    expect((await before('/v2/activities/verify', { organizationId: 'acme' }, made.ofKey)).data.valid).toBe(true)
    restarting = restarted
  }
})

async function writeActivity(call: Call, ofKey: object, organizationId: string) {
  const activity = { featureType: 'custom', actionType: 'x', targetEntityId: 't', actionUser: { userId: 'ada' } }
  const place = { organizationId, documentId: 'd' }
  await call('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } }, ofKey)
  await call('/v2/organizations/add', { organizations: [{ organizationId }] }, ofKey)
  await call('/v2/organizations/documents/add', { organizationId, documents: [{ documentId: 'd' }] }, ofKey)
  await call('/v2/activities/add', { ...place, activities: [activity] }, ofKey)
}

test('a second rotation has nothing to do', async () => {
  await makeSecrets(serviceWith(oldKey))
  await rotateAll(database)
  expect(new Set(Object.values(await rotateAll(database)))).toEqual(new Set([0]))
})

test('more rows than one batch holds are all rotated', async () => {
  const { apiKey } = await makeSecrets(serviceWith(oldKey))
  const names = Array.from({ length: 1_001 }, (_, i) => `n${i}`)
  const old = createSecrets([oldKey])
  await database.query(sql`
    insert into setting (api_key, name, value, sealed)
    select ${apiKey}, s.name, '{}', s.sealed
    from unnest(${names}::text[], ${names.map((name) => old.seal('{}', `setting:${apiKey}:${name}`))}::text[])
      as s (name, sealed)`)
  expect((await rotateAll(database)).setting).toBe(1_002)
  const rows = await database.query(sql`select name from setting where sealed not like 'new.%'`)
  expect(rows).toEqual([])
})

describe('while the service runs', () => {
  test('a token that is reset between reading and writing stays the new one', async () => {
    const { apiKey } = await makeSecrets(serviceWith(oldKey))
    let fresh: string | undefined
    const raced: Db = {
      async query<Row extends object>(statement: Sql): Promise<Row[]> {
        if (!fresh && statement.text.includes('update auth_token')) {
          fresh = (await replaceAuthToken(database, createSecrets([oldKey]), apiKey)).token
        }
        return database.query<Row>(statement)
      },
    }
    for (const column of tokenColumn) expect(await rotateColumn(raced, both, column)).toBe(1)
    const [row] = await database.query<{ hash: string }>(sql`select hash from auth_token where api_key = ${apiKey}`)
    expect(fresh).toBeDefined()
    expect(onlyNew.verify(fresh ?? '', row?.hash ?? '')).toBe(true)
  })

  test('calls with either token level succeed throughout', async () => {
    const call = serviceWith(newKey, oldKey)
    const made = await makeSecrets(serviceWith(oldKey))
    const calls = Array.from({ length: 20 }, () => call('/v2/workspace/emailconfig/get', {}, made.ofKey))
    const [answers] = await Promise.all([Promise.all(calls), rotateAll(database)])
    expect(answers.every(({ data }) => data.emailServiceConfig.apiKey === 'SG.1')).toBe(true)
  })
})

test('a missing key is named, and nothing is changed', async () => {
  const made = await makeSecrets(serviceWith(oldKey))
  for (const column of tokenColumn) {
    await expect(rotateColumn(database, onlyNew, column)).rejects.toThrow('There is no secret key old')
  }
  await readSecrets(serviceWith(oldKey), made)
})

test.runIf(process.env.TEST_DATABASE === 'postgres')('the command rotates, says so, and prints no secret', async () => {
  await buildOnce()
  const url = await freshNativeUrl()
  const shared = database
  database = await openPostgres({ url, poolSize: 2, pipeline: true, statementTimeoutMs: 10_000, onError: () => {} })
  await migrate(database)
  const made = await makeSecrets(serviceWith(oldKey))
  const [oldText, newText] = [oldKey, newKey].map(({ id, key }) => `${id}:${key.toString('base64')}`)
  const script = fileURLToPath(new URL('../../dist/rotate-secrets.js', import.meta.url))
  const env = { ...process.env, DATABASE_URL: url, SECRET_KEYS: `${newText},${oldText}` }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script], { env })
  expect(stdout).toContain('auth_token.sealed: 1 sealed anew')
  expect(stdout).toContain('Everything is sealed with the key new; the others can be dropped.')
  const secret = [newText, oldText, ...Object.values(made.ofKey), ...Object.values(made.ofWorkspace)]
  for (const each of secret) expect(stdout + stderr).not.toContain(each)
  await readSecrets(serviceWith(newKey), made)
  await database.close()
  database = shared
})

test('a link to unsubscribe outlives the rotation of the master key', async () => {
  const { services } = createApp({ config, database, secretKeys: [oldKey], log })
  const subscription = { apiKey: 'k', organizationKey: keyOf('o'), userKey: keyOf('u') }
  const link = unsubscribeUrl(subscription, await services.linkSecrets(), config)
  await rotateAll(database)
  const { http } = createApp({ config, database, secretKeys: [newKey], log })
  const { pathname, search } = new URL(link)
  const answers = await Promise.all([
    http.inject({ method: 'POST', url: pathname + search }),
    http.inject({ method: 'POST', url: `${pathname}${search}x` }),
  ])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 400])
})
