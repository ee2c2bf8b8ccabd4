import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildOnce, ENVIRONMENT, startProcess, temporaryDirectory } from '../../test/process.ts'

const run = promisify(execFile)

let directory: Awaited<ReturnType<typeof temporaryDirectory>>

beforeAll(async () => {
  await buildOnce()
  directory = await temporaryDirectory()
})
afterAll(() => directory.remove())

test.each([
  ['transfer', 'export', '--help'],
  ['transfer', 'import', 'file.jsonl'],
  ['rotate-secrets', '--json', '--help'],
])('%s %s with an unknown argument is refused before it opens a database', async (name, ...args) => {
  const program = new URL(`../../dist/${name}.js`, import.meta.url).pathname
  const env = { ...ENVIRONMENT, DATA_DIR: join(directory.path, 'nowhere') }
  const ended = run(process.execPath, [program, ...args], { env })
  await expect(ended).rejects.toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^usage: /) })
})

/** Runs a built command on an embedded database with this input, and returns what it printed. */
async function command(name: string, args: string[] = [], { input = '', dataDir = directory.path } = {}) {
  const program = new URL(`../../dist/${name}.js`, import.meta.url).pathname
  const env = { ...ENVIRONMENT, DATA_DIR: dataDir, LOG_LEVEL: 'silent' }
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  expect([name, args, code]).toEqual([name, args, 0])
  return output
}

interface Row {
  actor: string
  door: string
  action: string
  detail: object
  workspace_id: string | null
  about_key: string | null
}

/** The audit records of an export, in their order. */
function recordsOf(lines: string): Row[] {
  const rows: Row[] = []
  let table = ''
  for (const line of lines.trim().split('\n')) {
    const parsed = JSON.parse(line)
    if (Array.isArray(parsed)) table = parsed[0] === 'table' ? parsed[1] : ''
    else if (/audit_record/.test(table)) rows.push(parsed)
  }
  return rows
}

test('each command that administers, and the first start, leaves a record without secrets', {
  timeout: 240_000,
}, async () => {
  const server = await startProcess({ DATA_DIR: directory.path })
  const shown = /^ +(workspace id|API key|auth token) +(\S+)/gm
  const [workspaceId = '', apiKey = '', token = ''] = [...server.output().matchAll(shown)].map(([, , value]) => value)
  const link = /#token=(\S+)/.exec(server.output())?.[1] ?? ''
  await vi.waitFor(() => expect(server.log()).toContain('"msg":"started"'), 30_000)
  await server.stop()
  await command('credentials')
  const fresh: string = JSON.parse(await command('credentials', ['reset', apiKey])).authToken
  await command('credentials', ['reset', workspaceId])
  await command('operator', ['link', 'vera@example.com', '--role', 'viewer', '--workspace', workspaceId])
  await command('rotate-secrets')
  await command('rotate-signing-key', ['revoke'])
  const exported = await command('transfer', ['export'])
  expect(await command('transfer', ['import'], { input: exported })).toMatch(/^[1-9]\d* rows are imported\.\n$/)
  const elsewhere = join(directory.path, 'elsewhere')
  await mkdir(elsewhere)
  await copyFile(join(directory.path, 'secret-keys'), join(elsewhere, 'secret-keys'))
  await command('restore', [], { input: exported, dataDir: elsewhere })

  const records = recordsOf(await command('transfer', ['export']))
  expect(records.map(({ door, action }) => `${door} ${action}`)).toEqual([
    'start /v2/workspace/create',
    'start /v2/workspace/authtokens/get',
    'start operator link',
    'start /v2/memory/knowledge/ingest',
    'start /v2/workspace/activityconfig/update',
    'start /v2/workspace/notificationconfig/update',
    'command credentials',
    'command credentials reset',
    'command credentials reset',
    'command operator link',
    'command rotate-secrets',
    'command rotate-signing-key',
    'command export',
    'command import',
    'command export',
  ])
  expect(records[7]).toMatchObject({ workspace_id: workspaceId, about_key: apiKey })
  expect(records[9]).toMatchObject({ workspace_id: workspaceId, detail: { email: 'vera@example.com', role: 'viewer' } })
  const machine = `${userInfo().username}@${hostname()}`
  const actors = records.map(({ actor, action }) => (action.startsWith('/') ? `called by ${actor}` : actor))
  expect(new Set(actors)).toEqual(new Set(['called by the service itself', machine]))
  const text = JSON.stringify(records)
  for (const secret of [token, link, fresh]) {
    expect(secret).toMatch(/^\S{40,}$/)
    expect(text).not.toContain(secret)
  }
  const restored = recordsOf(await command('transfer', ['export'], { dataDir: elsewhere }))
  expect(restored.map(({ action }) => action).slice(-3)).toEqual(['export', 'restore', 'export'])
})
