import { type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Command, command } from './command.ts'
import { Failure } from './failure.ts'
import { note, write } from './output.ts'

/** How a program of the server ends where a running server holds the embedded database. */
export const IN_USE = 75

/** A command that a built program of the server carries out, on this machine, with the settings of the environment. */
interface ServerProgram {
  name: string
  summary: string
  parameters: string[]
  /** The program's name. */
  program: string
}

/** What every command on this machine says in its help. */
export const ON_THIS_MACHINE =
  'It runs on this machine, with the settings of the environment (see docs/configuration.md).'

/** The command that starts a program of the server as a process and ends as it does. */
export function serverProgram({ program, ...rest }: ServerProgram): Command {
  return command({
    ...rest,
    options: {},
    isLocal: true,
    notes: ON_THIS_MACHINE,
    async run({ json }, words) {
      const code = json ? await writeJsonOf(program, words) : await runProgram(programPath(program), words)
      process.exitCode = code === 0 ? 0 : 1
    },
  })
}

async function writeJsonOf(program: string, words: string[]): Promise<number> {
  const { code, output, errors } = await outcomeOf(program, ...words, '--json')
  if (code !== 0) throw new Failure(errors)
  if (errors !== '') note(errors)
  await write(output)
  return code
}

/** Runs a program in Node with this terminal and resolves with its exit code. Signals reach the program. */
export async function runProgram(
  path: string,
  args: string[],
  { nodeFlags = [], env = process.env }: { nodeFlags?: string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<number> {
  // The channel closes when this process is killed: then a server ends too.
  const stdio: StdioOptions = ['inherit', 'inherit', 'inherit', 'ipc']
  const child = spawn(process.execPath, [...nodeFlags, path, ...args], { stdio, env })
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  // The program must end first, so that it can finish its work. A terminal sends Ctrl-C to both.
  process.on('SIGINT', (signal) => process.stdin.isTTY || forward(signal))
  process.on('SIGTERM', forward).on('SIGHUP', forward)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)))
  })
}

/**
 * Starts a program of the server. Its output comes in chunks; how it ended, and what it said of errors, comes later.
 */
export function startProgram(program: string, ...args: string[]) {
  const child = spawn(process.execPath, [programPath(program), ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = once(child, 'close').then(([code]) => ({ code: Number(code ?? 1), errors: errors.trim() }))
  return { chunks: child.stdout as AsyncIterable<Uint8Array>, ended, stop: () => child.kill() }
}

/** Runs a program of the server to its end. */
export async function outcomeOf(program: string, ...args: string[]) {
  const { chunks, ended } = startProgram(program, ...args)
  return { output: await text(chunks), ...(await ended) }
}

/**
 * The path of a built program: beside the command line, else in the repository, else in its package. In a repository,
 * the folder of the package is what was packed last.
 */
export function programPath(name: string): string {
  const places = [`./${name}.js`, `../../server/dist/${name}.js`, `./server/${name}.js`]
  const found = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path))
  if (found !== undefined) return found
  throw new Failure(`The program ${name} is not built.`, 'Run `npm ci` in the repository: it builds too.')
}
