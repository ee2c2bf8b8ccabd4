import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildOnce, temporaryDirectory } from '../../server/test/process.ts'
import { newWorkspace, type Service, startService } from '../../server/test/running-service.ts'
import { commands } from '../src/commands.ts'
import { callerOf, PROGRAM } from './command-line.ts'

const page = fileURLToPath(new URL('../../docs/command-line.md', import.meta.url))

let service: Service
let home: Awaited<ReturnType<typeof temporaryDirectory>>

beforeAll(async () => {
  await buildOnce()
  service = await startService()
  home = await temporaryDirectory()
  await mkdir(join(home.path, 'bin'))
  const program = join(home.path, 'bin/precedent')
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`)
  await chmod(program, 0o755)
}, 120_000)
afterAll(() => home.remove())

/** The lines of the page's shell blocks that start the command line. */
async function lines(): Promise<string[]> {
  const blocks = [...(await readFile(page, 'utf8')).matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  return blocks.flatMap((block) => block.trim().split('\n')).filter((line) => /^(precedent|mkdir) /.test(line))
}

/** What follows until Ctrl-C is interrupted after a while. */
const asRun = (line: string) => (/ (tail|listen) /.test(`${line} `) ? `timeout --signal INT 8 ${line}` : line)

test('every command of docs/command-line.md runs as it stands there', { timeout: 300_000 }, async () => {
  const ws = await newWorkspace(service)
  await ws.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
  await ws.ok('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true })
  const { XDG_CONFIG_HOME: _, ...caller } = callerOf(service, ws)
  const PATH = `${home.path}/bin:${process.env.PATH}`
  let anchor = ''
  const failed: string[] = []
  const all = await lines()
  expect(all.length).toBeGreaterThan(25)
  for (const line of all) {
    const isOfProfiles = /^precedent (profile|workspace|keys)/.test(line)
    const env = { PATH, HOME: home.path, DATA_DIR: join(home.path, 'data'), ...(isOfProfiles ? {} : caller) }
    const text = asRun(line)
      .replaceAll(/https?:\/\/(127\.0\.0\.1:8080|staging\.example\.com)/g, service.url)
      .replace('120:HEAD', anchor)
    const script = `${/profile add/.test(line) ? 'echo TOKEN | ' : ''}${text}`
    const drained = service.drainJobs()
    const run = promisify(execFile)('bash', ['-c', script], { cwd: home.path, env })
    const timer = setInterval(() => void service.drainJobs(), 200)
    const { code = 0, stdout, stderr } = await run.catch((error) => error).finally(() => clearInterval(timer))
    await drained
    anchor = /anchor (\S+)/.exec(stdout)?.[1] ?? anchor
    // `timeout` ends with 124 where the command ended by Ctrl-C, as it should.
    if (code !== 0 && code !== 124) failed.push(`${line}: ${stderr}`)
  }
  expect(failed).toEqual([])
})

test('docs/command-line.md names every command', async () => {
  const text = await readFile(page, 'utf8')
  const missing = commands.filter(
    ({ hidden, name }) => !hidden && name !== 'mcp' && !text.includes(`precedent ${name}`),
  )
  expect(missing.map(({ name }) => name)).toEqual([])
})
