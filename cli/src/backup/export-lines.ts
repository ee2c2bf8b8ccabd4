import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { refusalOf } from '../../../client/src/errors.ts'
import { ConnectionError } from '../../../client/src/index.ts'
import { Failure } from '../failure.ts'
import type { Profile } from '../profile.ts'
import { programPath } from '../server-program.ts'

/** How the server's program ends where a running server holds the embedded database. */
const IN_USE = 75

interface Server {
  url: string
  /** A token that makes the caller an operator. */
  token: string
}

/** All data of this machine's database as lines of JSON. A server that has the embedded database open is asked for it. */
export async function* exportOfThisMachine(): AsyncGenerator<Uint8Array> {
  const { chunks, ended } = run('transfer', 'export')
  yield* chunks
  const { code, errors } = await ended
  if (code === IN_USE) yield* exportOfServer(await runningServer())
  else if (code !== 0) throw new Failure(errors)
}

/** All data of a server as lines of JSON. Rejects if it refuses, or if the stream breaks off. */
export async function* exportOfServer({ url, token }: Server): AsyncGenerator<Uint8Array> {
  const response = await fetch(`${url.replace(/\/$/, '')}/console/api/backup/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
    redirect: 'error',
  }).catch((error) => {
    throw new ConnectionError(`No response from ${url}.`, { cause: error })
  })
  if (response.status === 404) throw new Failure('The server has no console.', 'Start it without CONSOLE=off.')
  if (!response.ok || !response.body) throw refusalOf(response, await response.json().catch(() => undefined))
  try {
    yield* response.body
  } catch {
    throw new Failure('The server broke off.', 'Its log says why. Start the backup again when that is mended.')
  }
}

/** The server of a profile or of `--server`, and the token of its operator. */
export function remoteServer({ url, source }: Profile & { source: string }): Server {
  const token = process.env.PRECEDENT_OPERATOR_TOKEN
  if (token) return { url, token }
  throw new Failure(
    `A backup of the server of ${source} needs the token of its operator.`,
    'Set PRECEDENT_OPERATOR_TOKEN to the OPERATOR_TOKEN of the server.',
  )
}

async function runningServer(): Promise<Server> {
  const { chunks, ended } = run('running-server')
  let output = ''
  for await (const chunk of chunks) output += chunk
  const { code, errors } = await ended
  if (code !== 0) throw new Failure(errors)
  const server: Server = JSON.parse(output)
  const answer = await fetch(`${server.url}/healthz`).catch(() => undefined)
  if (answer?.ok) return server
  throw new Failure(
    `A server has the database open, but does not answer at ${server.url}.`,
    'Set PORT and HOST as that server has them, or name it with --server.',
  )
}

function run(program: string, ...args: string[]) {
  const child = spawn(process.execPath, [programPath(program), ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, errors: errors.trim() }))
  return { chunks: child.stdout as AsyncIterable<Uint8Array>, ended }
}
