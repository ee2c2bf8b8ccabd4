import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const BUILD = new URL('../../scripts/build.mjs', import.meta.url).pathname
const MAIN = new URL('../dist/main.js', import.meta.url).pathname

const QUICK_START = new URL('./quick-start.cjs', import.meta.url).pathname

/** All that a process gets of the environment of the tests, and what makes it start quickly. */
export const ENVIRONMENT = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  NODE_OPTIONS: `--require ${QUICK_START}`,
}

let built: Promise<unknown> | undefined

/** Builds what the tests run as processes, once for all files of a worker. */
export async function buildOnce(): Promise<void> {
  built ??= promisify(execFile)(process.execPath, [BUILD])
  await built
}

/** The built server as its users run it, in a process. */
export interface ServerProcess {
  /** The address where it listens. */
  url: string
  /** What it has printed for people, and what it has logged. */
  output(): string
  log(): string
  child: ChildProcess
  /** Sends a signal and resolves with the exit code, or null if the signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/**
 * Starts the built server with this environment on a free port. Resolves when it listens or, if it is only a worker,
 * when it works. Rejects if it ends first. It may have only so many `openFiles`.
 */
export async function startProcess(env: Record<string, string>, openFiles?: number): Promise<ServerProcess> {
  const started = spawnServer({ PORT: '0', HOST: '127.0.0.1', ...env }, openFiles)
  const { child, output, log } = started
  const ended = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const match = output().match(/ready at (http:\S+)/)
      // The whole greeting comes in one write.
      if (match?.[1]) resolve(match[1])
    })
    child.stderr?.on('data', () => {
      const match = log().match(/"address":"(http:[^"]+)","msg":"started"/)
      if (env.ROLE === 'worker' && match?.[1]) resolve(match[1])
    })
    child.on('exit', (code) => reject(new Error(`The server ended with ${code}: ${log()}`)))
  })
  return {
    url,
    output,
    log,
    child,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      const [code] = await ended
      return code
    },
  }
}

/** Runs the server with this environment until it exits. */
export async function runToEnd(
  env: Record<string, string>,
  openFiles?: number,
): Promise<{ code: number | null; log: string }> {
  const { child, log } = spawnServer(env, openFiles)
  // After its output has been read to the end, which may be later than its exit.
  const [code] = await once(child, 'close')
  return { code, log: log() }
}

function spawnServer(env: Record<string, string>, openFiles?: number) {
  const limit = openFiles === undefined ? '' : `ulimit -n ${openFiles}; `
  // The shell gives way to the server, which has its number then.
  const started = [`${limit}exec "$0" "$1"`, process.execPath, MAIN]
  const child = spawn('sh', ['-c', ...started], { env: { ...ENVIRONMENT, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let log = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  return { child, output: () => output, log: () => log }
}

/** A temporary directory that `remove()` deletes. */
export async function temporaryDirectory() {
  const path = await mkdtemp(join(tmpdir(), 'precedent-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
