import { refusalOf } from '../../client/src/errors.ts'
import { Failure } from './failure.ts'
import { post } from './post.ts'
import { IN_USE, outcomeOf } from './server-program.ts'

/** A server, and a token that makes the caller an operator. */
export interface Server {
  url: string
  token: string
}

/** The server that has the embedded database of this machine open. Fails if none answers where the settings say. */
export async function runningServer(): Promise<Server> {
  const { code, output, errors } = await outcomeOf('running-server')
  if (code !== 0) throw new Failure(errors)
  const server: Server = JSON.parse(output)
  const answer = await fetch(`${server.url}/healthz`).catch(() => undefined)
  if (answer?.ok) return server
  throw new Failure(
    `A server has the database open, but does not answer at ${server.url}.`,
    'Set PORT and HOST as that server has them; if it is stopping, try again.',
  )
}

/** Calls an operation of the operator and returns the response. Rejects if the server refuses. */
export async function callAsOperator(
  { url, token }: Server,
  path: string,
  body: object,
  signal?: AbortSignal,
): Promise<Response> {
  const address = `${url.replace(/\/$/, '')}/console/api/${path}`
  const response = await post(address, { authorization: `Bearer ${token}` }, body, signal)
  if (response.ok) return response
  const refused = refusalOf(response, await response.json().catch(() => undefined))
  if (refused.message !== NO_OPERATION) throw refused
  throw new Failure(`The server of ${url} does not offer this.`, 'Start it without CONSOLE=off, in this version.')
}

/** What a server says of an operation that it does not have. */
const NO_OPERATION = 'There is no operation at this path.'

/** The result of an operation of the operator. */
export async function resultOf<Result>(server: Server, path: string, body: object): Promise<Result> {
  const { result } = (await (await callAsOperator(server, path, body)).json()) as { result: Result }
  return result
}

/** A program's lines of JSON. Where a running server holds the database, `ask` gets them from that server instead. */
export async function recordsOfThisMachine<Each>(
  program: string,
  args: string[],
  ask: (server: Server) => AsyncIterable<Each>,
): Promise<AsyncIterable<Each> | Each[]> {
  const { code, output, errors } = await outcomeOf(program, ...args)
  if (code === IN_USE) return ask(await runningServer())
  if (code !== 0) throw new Failure(errors)
  return output
    .split('\n')
    .filter(Boolean)
    .map((line): Each => JSON.parse(line))
}
