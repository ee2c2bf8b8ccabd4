import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Command } from './command.ts'
import { Failure } from './failure.ts'

/** A command that a built program of the server carries out, on this machine, with the settings of the environment. */
export interface ServerProgram {
  name: string
  summary: string
  parameters: string[]
  /** The program's name, and what stands before the command's arguments. */
  program: string
  before?: string[]
  nodeFlags?: string[]
}

/** The command that starts a program of the server as a process and ends as it does. */
export function serverProgram({ program, before = [], nodeFlags = [], ...rest }: ServerProgram): Command {
  return {
    ...rest,
    options: {},
    notes: 'It runs on this machine, with the settings of the environment (see docs/configuration.md).',
    async run(args) {
      process.exitCode = await runProgram(programPath(program), [...before, ...args], { nodeFlags })
    },
  }
}

/** Runs a program in Node with this terminal and resolves with its exit code. Signals reach the program. */
export async function runProgram(
  path: string,
  args: string[],
  { nodeFlags = [], env = process.env }: { nodeFlags?: string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<number> {
  const child = spawn(process.execPath, [...nodeFlags, path, ...args], { stdio: 'inherit', env })
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  // The program must end first, so that it can finish its work. A terminal sends Ctrl-C to both.
  process.on('SIGINT', (signal) => process.stdin.isTTY || forward(signal))
  process.on('SIGTERM', forward).on('SIGHUP', forward)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)))
  })
}

/** The path of a built program: beside the command line, in its package, else in the repository. */
export function programPath(name: string): string {
  const places = [`./${name}.js`, `./server/${name}.js`, `../../server/dist/${name}.js`]
  const found = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path))
  if (found !== undefined) return found
  throw new Failure(`The program ${name} is not built.`, 'Run `npm ci` and `npm run build` in the repository.')
}
