import { Failure } from '../failure.ts'
import type { Chosen } from '../profile.ts'
import { callAsOperator, runningServer, type Server } from '../running-server.ts'
import { IN_USE, startProgram } from '../server-program.ts'

/**
 * All data of this machine's database as lines of JSON. A server that has the embedded database open is asked for it.
 * The signal ends it, also while it waits.
 */
export async function* exportOfThisMachine(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { chunks, ended, stop } = startProgram('transfer', 'export')
  signal.addEventListener('abort', stop)
  yield* chunks
  const { code, errors } = await ended
  if (code === IN_USE) yield* exportOfServer(await runningServer(), signal)
  else if (code !== 0) throw new Failure(errors)
}

/** All data of a server as lines of JSON. Rejects if it refuses, or if the stream breaks off. The signal ends it. */
export async function* exportOfServer(server: Server, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { body } = await callAsOperator(server, 'backup/create', {}, signal)
  try {
    if (body) yield* body
  } catch {
    throw new Failure('The server broke off.', 'If it was stopped, start the backup again. Otherwise its log says why.')
  }
}

/** The server of a profile or of `--server`, and the token of its operator. */
export function remoteServer({ url }: Chosen): Server {
  const token = process.env.PRECEDENT_OPERATOR_TOKEN
  if (token) return { url, token }
  throw new Failure(
    `A backup of ${url} needs the token of its operator.`,
    'Set PRECEDENT_OPERATOR_TOKEN to the OPERATOR_TOKEN of the server.',
  )
}
