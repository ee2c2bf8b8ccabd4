import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  buildOnce,
  ENVIRONMENT,
  runToEnd,
  type ServerProcess,
  startProcess,
  temporaryDirectory,
} from '../../test/process.ts'

const run = promisify(execFile)
const dist = (name: string) => new URL(`../../dist/${name}`, import.meta.url).pathname
/** The command line, which shows what the server's program writes. */
const PRECEDENT = '../../cli/dist/precedent.js'

let directory: Awaited<ReturnType<typeof temporaryDirectory>>

beforeAll(async () => {
  await buildOnce()
  directory = await temporaryDirectory()
})
afterAll(() => directory.remove())

/** Runs a built command on the embedded database; a command that fails rejects with its output. */
function command(name: string, args: string[], dataDir = directory.path) {
  return run(process.execPath, [dist(name), ...args], {
    env: { ...ENVIRONMENT, DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
  })
}

const credentials = async (...args: string[]) => (await command(PRECEDENT, ['credentials', ...args])).stdout
const field = (text: string, name: string) => new RegExp(`^ +${name} +(\\S+)`, 'm').exec(text)?.[1] ?? ''

async function started(): Promise<ServerProcess> {
  const server = await startProcess({ DATA_DIR: directory.path })
  await vi.waitFor(() => expect(server.log()).toContain('"msg":"started"'), 30_000)
  return server
}

async function statusOf(server: ServerProcess, path: string, headers: Record<string, string>) {
  const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{"data":{}}' }
  return (await fetch(server.url + path, init)).status
}

// Each test starts several processes, which takes long on a busy machine.
describe('npm run credentials', { timeout: 120_000 }, () => {
  let greeting: string

  test('lists the credentials that the first start has shown; an unknown id is an error that changes nothing', async () => {
    const server = await started()
    greeting = server.output()
    await server.stop()
    const list = await credentials()
    for (const name of ['workspace id', 'workspace auth token', 'API key', 'auth token']) {
      expect([name, field(list, name)]).toEqual([name, field(greeting, name)])
    }
    await expect(credentials('reset', 'ws_none')).rejects.toThrow('There is no workspace and no API key ws_none.')
    expect(await credentials('demo@precedent.local')).toBe(list)
    expect(await credentials('nobody@example.com')).toBe('There is no such workspace.\n')
  })

  test('reset gives a workspace and an API key a new token; the old ones stop working', async () => {
    const [id, apiKey] = [field(greeting, 'workspace id'), field(greeting, 'API key')]
    const [newOfWorkspace, newOfKey] = [await credentials('reset', id), await credentials('reset', apiKey)].map(
      (text) => text.trim().split('\n').at(-1)?.trim() ?? '',
    )
    const server = await started()
    const workspace = (token = '') =>
      statusOf(server, '/v2/workspace/get', { 'x-service-workspace-id': id, 'x-service-workspace-auth-token': token })
    const key = (token = '') =>
      statusOf(server, '/v2/organizations/get', { 'x-service-api-key': apiKey, 'x-service-auth-token': token })
    expect([await workspace(newOfWorkspace), await key(newOfKey)]).toEqual([200, 200])
    const [oldOfWorkspace, oldOfKey] = [field(greeting, 'workspace auth token'), field(greeting, 'auth token')]
    expect([await workspace(oldOfWorkspace), await key(oldOfKey)]).toEqual([401, 403])
    await server.stop()
  })

  test('beside a running server that has the embedded database open, that server is asked', async () => {
    const before = await credentials('--json')
    const server = await started()
    const beside = async (...args: string[]) => {
      const env = { ...ENVIRONMENT, DATA_DIR: directory.path, PORT: new URL(server.url).port }
      return (await run(process.execPath, [dist(PRECEDENT), 'credentials', ...args], { env })).stdout
    }
    expect(await beside('--json')).toBe(before)
    expect(await beside('demo@precedent.local')).toContain('workspace auth token')
    expect(await beside('nobody@example.com')).toBe('There is no such workspace.\n')
    const [id, apiKey] = [field(greeting, 'workspace id'), field(greeting, 'API key')]
    const { authToken } = JSON.parse(await beside('reset', id, '--json'))
    const headers = { 'x-service-workspace-id': id, 'x-service-workspace-auth-token': authToken }
    expect(await statusOf(server, '/v2/workspace/get', headers)).toBe(200)
    expect(await beside('reset', apiKey)).toContain(`The API key ${apiKey} has a new auth token`)
    await expect(beside('reset', 'ws_none')).rejects.toThrow('There is no workspace and no API key ws_none.')
    await server.stop()
  })
})

describe('secret-keys that do not open what is stored', { timeout: 120_000 }, () => {
  const others = `k1:${Buffer.alloc(32, 9).toString('base64')}\n`

  test('a start refuses and names the file, also where it is missing, and makes none', async () => {
    const broken = await temporaryDirectory()
    await cp(directory.path, broken.path, { recursive: true })
    await writeFile(join(broken.path, 'secret-keys'), others)
    const { code, log } = await runToEnd({ DATA_DIR: broken.path, PORT: '0' })
    expect(code).toBe(1)
    expect(log).toContain(`The file ${join(broken.path, 'secret-keys')} does not hold the key of the stored secrets`)
    expect(log).not.toMatch(/\n\s+at /)
    await rm(join(broken.path, 'secret-keys'))
    const without = await runToEnd({ DATA_DIR: broken.path, PORT: '0' })
    expect(without.code).toBe(1)
    expect(without.log).toContain(`The file ${join(broken.path, 'secret-keys')} is missing, which holds the key`)
    // A copy of it would be taken for the right one.
    expect(existsSync(join(broken.path, 'secret-keys'))).toBe(false)
    await broken.remove()
  })

  test('an import refuses, names the file and changes nothing', async () => {
    const target = await temporaryDirectory()
    const exported = (await command('transfer.js', ['export'])).stdout
    const imported = command('transfer.js', ['import'], target.path)
    imported.child.stdin?.end(exported)
    await expect(imported).rejects.toThrow(`The file ${join(target.path, 'secret-keys')} is missing, which holds`)
    const list = await command(PRECEDENT, ['credentials'], target.path)
    expect(list.stdout).toBe('There is no workspace yet.\n')
    await target.remove()
  })
})
