import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { repository } from '../architecture/source.ts'
import { freePort } from '../ports/free-port.ts'
import { temporaryDirectory } from '../process.ts'

const run = promisify(execFile)
const page = readFileSync(join(repository, 'docs/tutorial.md'), 'utf8')

interface Block {
  /** Where it runs, if that is said. */
  where: string
  commands: string
}

const blocks: Block[] = [...page.matchAll(/```sh ?(.*)\n([\s\S]*?)```/g)].map(([, where = '', commands = '']) => ({
  where,
  commands,
}))

let home: Awaited<ReturnType<typeof temporaryDirectory>>
let port: number
const running: { child: ChildProcess; output(): string }[] = []

beforeAll(async () => {
  home = await temporaryDirectory()
  port = await freePort()
})
afterAll(async () => {
  for (const { child } of running.reverse()) await end(child)
  await home.remove()
})

/** Somebody's environment, with a home and a port of the test. The cache of npm spares the downloads. */
const environment = () => ({
  PATH: process.env.PATH ?? '',
  HOME: home.path,
  PORT: String(port),
  npm_config_cache: process.env.npm_config_cache ?? join(process.env.HOME ?? '', '.npm'),
  npm_config_prefer_offline: 'true',
})

const here = (commands: string) => commands.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)

async function type(commands: string, cwd: string): Promise<string> {
  const { stdout } = await run('bash', ['-ec', here(commands)], { cwd, env: environment(), maxBuffer: 2 ** 26 })
  return stdout
}

/** Starts commands in a terminal of their own, and waits until they have printed something. */
async function keepRunning(commands: string, pattern: RegExp) {
  const child = spawn('bash', ['-ec', here(commands)], { cwd: home.path, env: environment(), detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text
    })
  }
  running.push({ child, output: () => output })
  await vi.waitFor(() => expect(output).toMatch(pattern), 120_000)
}

/** Ctrl-C in the terminal: all its processes get it. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = once(child, 'exit')
  process.kill(-child.pid, 'SIGINT')
  await ended
}

test('the tutorial, followed word for word in an empty folder, leads to a webhook and a suggestion', {
  timeout: 600_000,
}, async () => {
  const outputs: string[] = []
  const folder = join(home.path, 'precedent-tutorial')
  const started = [/ready at http:/, /Listening on http:/]
  for (const { where, commands } of blocks) {
    if (where === 'keeps running') await keepRunning(commands, started.shift() ?? /./)
    // `npm ci` of the checkout has been done: the tests run in it.
    else if (where === 'in the checkout') await type(commands.replace('npm ci\n', ''), repository)
    else if (/^rm /.test(commands)) await finish(commands)
    else outputs.push(await type(commands, existsSync(folder) ? folder : home.path))
  }
  const printed = outputs.join('\n')
  expect(printed).toContain('Is this price right?')
  expect(printed).toContain('Yes, it is.')
  expect(printed).toMatch(/^reject {2}\d+ % confident/m)
  expect(existsSync(folder)).toBe(false)
})

/** The last step: the events have arrived, Ctrl-C in both terminals, and everything is removed. */
async function finish(commands: string): Promise<void> {
  const [server, listener] = running
  await vi.waitFor(() => expect(listener?.output()).toMatch(/comment_annotation\.add .* verified/), 30_000)
  await vi.waitFor(() => expect(listener?.output()).toMatch(/comment\.add .* verified/), 30_000)
  if (listener) await end(listener.child)
  if (server) await end(server.child)
  await type(commands, home.path)
}
