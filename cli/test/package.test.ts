import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { temporaryDirectory } from '../../server/test/process.ts'

const run = promisify(execFile)
const cli = fileURLToPath(new URL('..', import.meta.url))
const { PATH = '', HOME = '' } = process.env

let outside: Awaited<ReturnType<typeof temporaryDirectory>>
let data: Awaited<ReturnType<typeof temporaryDirectory>>
let packed: string[]

// The folder's registry is the cache of npm, filled by `npm ci`; what is missing comes from the registry.
beforeAll(async () => {
  ;[outside, data] = [await temporaryDirectory(), await temporaryDirectory()]
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', outside.path], { cwd: cli })
  const [{ files }] = JSON.parse(stdout.slice(stdout.indexOf('[')))
  packed = files.map(({ path }: { path: string }) => path)
  const [tarball = ''] = (await readdir(outside.path)).filter((file) => file.endsWith('.tgz'))
  await writeFile(join(outside.path, 'package.json'), '{ "name": "outside", "private": true }')
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: outside.path })
}, 300_000)
afterAll(() => Promise.all([outside.remove(), data.remove()]))

const installed = () => join(outside.path, 'node_modules/.bin/precedent')
const environment = (more: Record<string, string> = {}) => ({
  PATH,
  HOME,
  XDG_CONFIG_HOME: outside.path,
  DATA_DIR: data.path,
  ...more,
})

describe('the packed command line, installed in an empty folder', { timeout: 120_000 }, () => {
  test('holds the command line, the programs of the server and its migrations, and no sources', () => {
    expect(packed).toEqual(
      expect.arrayContaining([
        'dist/precedent.js',
        'dist/server/main.js',
        'dist/server/embedded-worker.js',
        'dist/mcp.js',
        'dist/mcp.licenses.txt',
        'dist/sbom.cdx.json',
      ]),
    )
    expect(packed.some((path) => path.startsWith('dist/server/migrations/'))).toBe(true)
    expect(packed.filter((path) => /\.ts$|\.test\./.test(path))).toEqual([])
  })

  test('runs by npx, and from a folder of another name', async () => {
    const { stdout } = await run('npx', ['--offline', 'precedent', '--version'], { cwd: outside.path })
    expect(stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/)
    expect((await run(installed(), ['help'], { cwd: '/', env: environment() })).stdout).toContain('precedent <command>')
  })

  test('migrates the database, serves, answers a call and lists the credentials', async () => {
    const migrated = await run(installed(), ['migrate'], { env: environment() })
    expect(migrated.stdout).toMatch(/^The database is up to date: \d+ migrations/)
    const first = await serve()
    const [, url = ''] = /ready at (http:\S+)/.exec(first.greeting) ?? []
    const args = ['call', 'createWorkspace', '--owner-email', 'ada@example.com', '--server', url]
    const created = await run(installed(), args, { env: environment() })
    expect(JSON.parse(created.stdout)).toMatchObject({ owner: { email: 'ada@example.com' } })
    expect(await first.stop()).toBe(0)
    const credentials = await run(installed(), ['credentials', 'ada@example.com'], { env: environment() })
    expect(credentials.stdout).toContain('workspace auth token')
    const again = await serve()
    expect(again.greeting).toMatch(/^ {2}precedent credentials$/m)
    await again.stop()
  })
})

/** Starts the installed server. */
async function serve() {
  const server = execFile(installed(), ['serve'], { env: environment({ PORT: '0', LOG_LEVEL: 'info' }) })
  const ended = once(server, 'exit')
  let greeting = ''
  server.stdout?.on('data', (text: string) => {
    greeting += text
  })
  await vi.waitFor(() => expect(greeting).toMatch(/ready at http:\S+/), 60_000)
  return {
    greeting,
    async stop(): Promise<number> {
      server.kill('SIGTERM')
      return (await ended)[0]
    },
  }
}
