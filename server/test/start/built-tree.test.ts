import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { appendFile, chmod, cp, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { temporaryDirectory } from '../process.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))
const { PATH = '', HOME = '' } = process.env
const COPIED = [
  'package.json',
  'scripts',
  'server/package.json',
  'server/src',
  'server/migrations',
  'server/dist',
  'cli',
  'mcp',
  'console',
]

let copies: Awaited<ReturnType<typeof temporaryDirectory>>
let data: Awaited<ReturnType<typeof temporaryDirectory>>

beforeAll(async () => {
  await run(process.execPath, [join(root, 'scripts/build.mjs')])
  ;[copies, data] = [await temporaryDirectory(), await temporaryDirectory()]
})
afterAll(async () => {
  await setMode(copies.path, 0o755)
  await Promise.all([copies.remove(), data.remove()])
})

/** A copy of the built tree. Its dependencies are links to the real ones; the compiler is not among them. */
async function copyOfTree(name: string): Promise<string> {
  const tree = join(copies.path, name)
  for (const path of COPIED) {
    await cp(join(root, path), join(tree, path), { recursive: true, filter: (from) => !from.includes('node_modules') })
  }
  await cp(join(root, 'client/src'), join(tree, 'client/src'), { recursive: true })
  for (const folder of ['node_modules', 'server/node_modules']) {
    await mkdir(join(tree, folder), { recursive: true })
    const names = await readdir(join(root, folder)).catch(() => [])
    const kept = names.filter((each) => !['esbuild', '@esbuild', 'tsx'].includes(each))
    for (const each of kept) await symlink(join(root, folder, each), join(tree, folder, each))
  }
  return tree
}

async function setMode(tree: string, mode: number): Promise<void> {
  await chmod(tree, mode)
  for (const entry of await readdir(tree, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), mode)
  }
}

/** The files of a tree with their times; it differs if anything was written, even by root. */
async function snapshot(tree: string): Promise<string[]> {
  const entries = (await readdir(tree, { recursive: true, withFileTypes: true })).filter(
    (each) => !each.isSymbolicLink(),
  )
  const lines = entries.map(async ({ parentPath, name }) => {
    const { mtimeMs, size } = await stat(join(parentPath, name))
    return `${join(parentPath, name)} ${mtimeMs} ${size}`
  })
  return (await Promise.all(lines)).sort()
}

const script = (name: string): string => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts[name]

/** Runs a script of package.json as npm does. */
const runScript = (tree: string, name: string, ...args: string[]) =>
  run('bash', ['-c', `${script(name)} "$@"`, name, ...args], { cwd: tree, env: { PATH, HOME, DATA_DIR: data.path } })

/** Starts the server by `npm start`'s own script, waits until it has started, stops it, and returns what it printed. */
async function startAndStop(tree: string): Promise<{ code: number; output: string; log: string }> {
  const env = { PATH, HOME, DATA_DIR: data.path, PORT: '0' }
  const child = spawn('bash', ['-c', `exec ${script('start')}`], { cwd: tree, env })
  const ended = once(child, 'exit')
  let [output, log] = ['', '']
  child.stdout.on('data', (text) => {
    output += text
  })
  child.stderr.on('data', (text) => {
    log += text
  })
  await vi.waitFor(() => expect(log).toContain('"msg":"started"'), 60_000)
  child.kill('SIGTERM')
  const [code] = await ended
  return { code, output, log }
}

describe('a built tree without the compiler that cannot be written', { timeout: 120_000 }, () => {
  let tree: string
  let before: string[]

  beforeAll(async () => {
    tree = await copyOfTree('read-only')
    await setMode(tree, 0o555)
    before = await snapshot(tree)
  })

  test('npm start runs what was built, and says nothing of a build', async () => {
    const { code, output, log } = await startAndStop(tree)
    expect(code).toBe(0)
    expect(output).toContain('Precedent is ready at')
    expect(log).not.toContain('build')
    expect(await snapshot(tree)).toEqual(before)
  })

  test('credentials, export, import, rotate-secrets, evaluate and precedent run as well', async () => {
    expect((await runScript(tree, 'credentials')).stdout).toContain('workspace auth token')
    const { stdout: exported } = await runScript(tree, 'export')
    const imported = runScript(tree, 'import')
    imported.child.stdin?.end(exported)
    await imported
    expect((await runScript(tree, 'rotate-secrets')).stdout).toContain('Everything is sealed')
    await expect(runScript(tree, 'evaluate', 'nothing')).rejects.toThrow(
      'There is no API key and no workspace nothing.',
    )
    expect((await runScript(tree, 'precedent', 'help')).stdout).toContain('Usage: precedent')
    expect(await snapshot(tree)).toEqual(before)
  })
})

describe('a tree whose sources are newer than the build', { timeout: 120_000 }, () => {
  test('npm start runs the build and names a changed source', async () => {
    const tree = await copyOfTree('changed')
    await appendFile(join(tree, 'server/src/main.ts'), '// changed\n')
    await writeFile(join(tree, 'server/migrations/9999-new.sql'), 'select 1;\n')
    const { code, log } = await startAndStop(tree)
    expect(code).toBe(0)
    expect(log).toContain('The sources have changed since the build (server/src/main.ts and 1 more)')
    expect(log).toContain('npm run build')
  })

  test('a tree that is not built says how to build it', async () => {
    const tree = join(copies.path, 'unbuilt')
    for (const path of ['package.json', 'scripts']) await cp(join(root, path), join(tree, path), { recursive: true })
    await expect(runScript(tree, 'start')).rejects.toThrow(
      /main\.js is not built\. Install its packages and build it with: npm ci\n$/,
    )
  })
})

describe('a Node that is too old', () => {
  const preload = ['-r', './scripts/check-node.cjs', '-e', 'process.stdout.write("ran")']
  const pretending = (version: string) =>
    run(process.execPath, ['-r', `${copies.path}/node-${version}.cjs`, ...preload], { cwd: root })

  test('says so before anything else', async () => {
    for (const version of ['8.17.0', '18.20.8', '20.18.3', '20.19.0', '22.0.0']) {
      const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`
      await writeFile(join(copies.path, `node-${version}.cjs`), pretend)
    }
    for (const old of ['8.17.0', '18.20.8', '20.18.3']) {
      await expect(pretending(old)).rejects.toMatchObject({
        code: 1,
        stdout: '',
        stderr: `Precedent needs Node 20.19 or later; this is Node ${old} (${process.execPath}).\n`,
      })
    }
    for (const enough of ['20.19.0', '22.0.0']) expect((await pretending(enough)).stdout).toBe('ran')
  })

  test('is told by every script that runs a program or builds', async () => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    const unchecked = Object.entries(scripts).filter(([, text]) =>
      /^node (?!-r \.\/scripts\/check-node\.cjs )/.test(text),
    )
    expect(unchecked).toEqual([])
  })
})
