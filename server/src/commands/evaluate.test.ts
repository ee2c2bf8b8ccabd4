import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildOnce } from '../../test/process.ts'
import { freshNativeUrl, startService } from '../../test/running-service.ts'
import { createApp } from '../app.ts'
import { openDatabase } from '../open-database.ts'
import { readConfig } from '../platform/config.ts'
import { migrate } from '../platform/migrate.ts'
import { parseSecretKeys } from '../platform/secret.ts'

const { config, log } = (await startService()).app.services

beforeAll(buildOnce)

/** The settings of a separate database that outlives the process. */
async function ownDatabase(): Promise<Record<string, string>> {
  if (process.env.TEST_DATABASE === 'postgres') return { DATABASE_URL: await freshNativeUrl() }
  const dataDir = await mkdtemp(join(tmpdir(), 'evaluate-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  return { DATA_DIR: dataDir }
}

function evaluate(args: string[], settings: Record<string, string>) {
  const script = fileURLToPath(new URL('../../dist/evaluate.js', import.meta.url))
  const env = { PATH: process.env.PATH, SECRET_KEYS: config.secretKeys, ...settings }
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}

const judgment = (i: number) => ({
  decision: 'approve',
  reasoning: 'Fine.',
  content: `A banner for the summer sale, variant ${i}`,
  actionUser: { userId: 'ada', name: 'Ada' },
  createdAt: Date.UTC(2026, 0, 1 + i),
})

test('the command evaluates a workspace key by key, or one of its keys, of a database that nobody else has open', async () => {
  const settings = await ownDatabase()
  const database = await openDatabase(readConfig({ SECRET_KEYS: config.secretKeys, ...settings }), log)
  await migrate(database)
  const app = createApp({ config, database, log, secretKeys: parseSecretKeys(config.secretKeys ?? '') })
  const call = async (url: string, data: object, headers = {}) =>
    (await app.http.inject({ method: 'POST', url, payload: { data }, headers })).json().result
  const { id, authToken, apiKeyList } = (
    await call('/v2/workspace/create', { ownerEmail: `jane.${randomUUID()}@example.com` })
  ).data
  const ofWorkspace = { 'x-service-workspace-id': id, 'x-service-workspace-auth-token': authToken }
  const [apiKey = ''] = Object.keys(apiKeyList)
  const { authTokens } = (await call('/v2/workspace/authtokens/get', { apiKey }, ofWorkspace)).data
  const ofKey = { 'x-service-api-key': apiKey, 'x-service-auth-token': authTokens[0].token }
  await call('/v2/workspace/apikey/create', { ownerEmail: 'jane@example.com', type: 'testing' }, ofWorkspace)
  await call('/v2/memory/judgments/add', { judgments: Array.from({ length: 10 }, (_, i) => judgment(i)) }, ofKey)
  if (database.kind === 'embedded') {
    const refused = await evaluate([id], settings)
    expect(refused).toMatchObject({
      code: 75,
      stdout: '',
      stderr: expect.stringContaining('is in use by another process'),
    })
  }
  await database.close()

  const all = await evaluate([id], settings)
  expect(all).toMatchObject({ code: 0, stderr: '' })
  expect(all.stdout.match(/^# .+$/gm)).toEqual([expect.stringContaining(`(${apiKey})`), expect.stringContaining('(')])
  expect(all.stdout).toContain('There is nothing to measure.')
  const one = await evaluate([apiKey, '--from', '2026-01-06'], settings)
  expect(one.stdout).toContain('10 judgments, of which 10 took a side. Since 2026-01-06T00:00:00.000Z, 5 were asked')
  expect(one.stdout).toContain('| suggest | 100.0 % | 1.000 | – |')
  expect(await evaluate(['nobody'], settings)).toMatchObject({ code: 1, stderr: expect.stringContaining('nobody') })
}, 120_000)

test.each([[[]], [['a', 'b']], [['--to', 'x']], [['--help']], [['a', '--from']]])(
  '%j is refused with the usage',
  async (args) => {
    const { code, stderr } = await evaluate(args, { DATA_DIR: 'memory' })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^usage: evaluate <API key.*--from[^']*$/)])
  },
)

test('a date that is none is refused', async () => {
  for (const from of ['soon', '2026-02-30']) {
    const { code, stderr } = await evaluate(['a', '--from', from], { DATA_DIR: 'memory' })
    expect([code, stderr]).toEqual([1, `--from: ${from} is no date such as 2026-01-31.\n`])
  }
})
