/**
 * `npm run smoke:nodes`: starts the built server on each supported Node but this one, runs the demo against it (first
 * requests, a signed webhook), and stops it. `npm run test:nodes` runs the whole suite on each. The Nodes are packages
 * of the registry, fetched into a temporary folder. Further arguments choose among them: `npm run test:nodes -- 22 24`.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** 20 is the oldest that is supported, 24 is recommended. */
const VERSIONS = ['20.20.2', '22.23.3', '24.21.0']
const START_MS = 120_000

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

const [task, ...chosen] = process.argv.slice(2)
if (task !== 'smoke' && task !== 'test') {
  console.error('Usage: tsx scripts/nodes.ts smoke|test [20] [22] [24]')
  process.exit(2)
}

const folder = await mkdtemp(join(tmpdir(), 'precedent-nodes-'))
try {
  const failed: string[] = []
  for (const version of VERSIONS.filter(isChosen)) {
    const isThis = majorOf(version) === majorOf(process.versions.node)
    if (task === 'smoke' && isThis) continue
    const succeeded = await onNode(version, isThis ? process.execPath : await fetchNode(version))
    console.log(`Node ${isThis ? process.versions.node : version}: ${succeeded ? 'passed' : 'FAILED'}`)
    if (!succeeded) failed.push(version)
  }
  process.exitCode = failed.length > 0 ? 1 : 0
} finally {
  await rm(folder, { recursive: true, force: true })
}

function isChosen(version: string): boolean {
  return chosen.length === 0 || chosen.includes(majorOf(version) ?? '')
}

function majorOf(version: string): string | undefined {
  return version.split('.')[0]
}

/** Fetches a Node and returns the path of its program. */
async function fetchNode(version: string): Promise<string> {
  const prefix = join(folder, version)
  const name = `node-${process.platform}-${process.arch}`
  await run('npm', [
    'install',
    '--no-save',
    '--no-audit',
    '--no-package-lock',
    '--prefix',
    prefix,
    `${name}@${version}`,
  ])
  return join(prefix, 'node_modules', name, 'bin/node')
}

async function onNode(version: string, node: string): Promise<boolean> {
  // Programs that call `node` by its name get this one too.
  const env = { ...process.env, PATH: `${join(node, '..')}:${process.env.PATH}` }
  if (task === 'smoke') return smoke(version, node, env).catch(report)
  const suite = spawn(node, ['--import', 'tsx', 'scripts/test.ts'], { cwd: root, env, stdio: 'inherit' })
  const [code] = await once(suite, 'exit')
  return code === 0
}

function report(error: unknown): boolean {
  console.error(error instanceof Error ? error.message : error)
  return false
}

async function smoke(version: string, node: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const settings = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: join(folder, `data-${version}`), DATABASE_URL: '' }
  const server = spawn(node, ['server/dist/main.js'], { cwd: root, env: { ...env, ...settings } })
  const ended = once(server, 'exit')
  try {
    const PRECEDENT_URL = await addressOf(server)
    const client = { cwd: root, env: { ...env, PRECEDENT_URL }, timeout: START_MS }
    await run(node, ['--import', 'tsx', 'demo/run.ts'], client)
    const { stdout } = await run(node, ['cli/dist/precedent.js', 'doctor', '--server', PRECEDENT_URL], client)
    process.stdout.write(stdout)
  } finally {
    server.kill('SIGTERM')
    await ended
  }
  return server.exitCode === 0
}

/** The address that a server prints once it listens; rejects with what it logged if it ends first. */
function addressOf(server: ReturnType<typeof spawn>): Promise<string> {
  return new Promise((resolve, reject) => {
    let [output, log] = ['', '']
    server.stderr?.on('data', (text) => {
      log += text
    })
    server.stdout?.on('data', (text) => {
      output += text
      const [, address] = /ready at (http:\S+)/.exec(output) ?? []
      if (address) resolve(address)
    })
    server.on('exit', (code) => reject(new Error(`The server ended with ${code}: ${log}`)))
    setTimeout(() => reject(new Error(`The server did not start: ${log}`)), START_MS).unref()
  })
}
