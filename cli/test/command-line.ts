import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ENVIRONMENT } from '../../server/test/process.ts'
import type { Service, TestWorkspace } from '../../server/test/running-service.ts'

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))
/** The built command line. */
export const PROGRAM = path('cli/dist/precedent.js')

/** How a run of `precedent` ended. */
export interface Run {
  code: number | null
  output: string
  errors: string
}

/** A run of `precedent` that goes on. */
export interface Running {
  output(): string
  errors(): string
  interrupt(): void
  /** Ends it at once, so that it can tell nobody. */
  kill(): void
  ended: Promise<Run>
}

/** Runs `precedent` as users do, as a process with this environment only, to its end. */
export function precedent(args: string[], env: Record<string, string> = {}, input = ''): Promise<Run> {
  return startPrecedent(args, env, input).ended
}

/** Starts `precedent` and leaves it running. */
export function startPrecedent(args: string[], env: Record<string, string> = {}, input = ''): Running {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: { ...ENVIRONMENT, ...env } })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  // A command that ends without reading its input closes the pipe.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return {
    output: () => output,
    errors: () => errors,
    interrupt: () => child.kill('SIGINT'),
    kill: () => child.kill('SIGKILL'),
    ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, output, errors }))),
  }
}

/** The environment of a caller with the workspace's API key. */
export function callerOf({ url }: Service, workspace: TestWorkspace): Record<string, string> {
  return {
    XDG_CONFIG_HOME: '/nonexistent',
    PRECEDENT_URL: url,
    PRECEDENT_API_KEY: workspace.apiKey,
    PRECEDENT_AUTH_TOKEN: workspace.keyHeaders['x-service-auth-token'] ?? '',
    PRECEDENT_WORKSPACE_ID: workspace.id,
    PRECEDENT_WORKSPACE_AUTH_TOKEN: workspace.authToken,
  }
}
