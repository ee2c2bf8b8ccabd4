import { ConnectionError, PrecedentError } from '../../client/src/index.ts'
import type { Connection } from './connection.ts'
import { explain, rootOf } from './failure.ts'
import type { Chosen } from './profile.ts'

/** What a check has found; the server's program writes the same. */
export interface Finding {
  check: string
  status: 'ok' | 'warning' | 'failure'
  message: string
  mend?: string
}

const MOST_SKEW_MS = 5000
const TIMEOUT_MS = 10_000

/** Checks a server through its API: that it is there, that it can work, its clock, and the credentials for it. */
export async function* checkServer({ api, profile }: Connection): AsyncGenerator<Finding> {
  const base = `${profile.url.replace(/\/$/, '')}/`
  const start = Date.now()
  const health = await probe(base, 'healthz')
  if (health instanceof Error) {
    yield unreachable(profile, health)
    return
  }
  if (health.said !== 'ok') {
    const message = `What answers at ${profile.url} is not Precedent (HTTP ${health.code} at /healthz).`
    yield failure('server', message, `Correct the address, which is from ${profile.source}.`)
    return
  }
  yield ok('server', `Precedent answers at ${profile.url}.`)
  yield await readiness(base)
  yield clock(Date.parse(health.date ?? ''), (start + Date.now()) / 2)
  const { apiKey, authToken, workspaceId, workspaceAuthToken } = profile
  if (apiKey) {
    const key = { check: 'API key', id: apiKey, token: authToken, variables: KEY_VARIABLES }
    yield await credentials(key, profile, () => api.workspaces.getApiKeyConfig())
  }
  if (workspaceId) {
    const workspace = {
      check: 'workspace',
      id: workspaceId,
      token: workspaceAuthToken,
      variables: WORKSPACE_VARIABLES,
    }
    yield await credentials(workspace, profile, () => api.workspaces.getWorkspace())
  }
  if (!apiKey && !workspaceId) {
    const mend = `Set ${KEY_VARIABLES.join(' and ')}, or name a stored profile with --profile instead of --server.`
    yield warning('credentials', 'Not checked: none are given.', mend)
  }
}

const KEY_VARIABLES = ['PRECEDENT_API_KEY', 'PRECEDENT_AUTH_TOKEN'] as const
const WORKSPACE_VARIABLES = ['PRECEDENT_WORKSPACE_ID', 'PRECEDENT_WORKSPACE_AUTH_TOKEN'] as const

const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message })
const warning = (check: string, message: string, mend: string): Finding => ({ check, status: 'warning', message, mend })
const failure = (check: string, message: string, mend: string): Finding => ({ check, status: 'failure', message, mend })

interface Probed {
  code: number
  /** The status that the body holds; undefined where it is none of a probe. */
  said: string | undefined
  reason: string | undefined
  date: string | null
}

/** What a probe of the server answers, or why nothing does. */
async function probe(base: string, path: string): Promise<Probed | Error> {
  try {
    const response = await fetch(new URL(path, base), { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const { status: said, reason } = (await response.json().catch(() => ({}))) as { status?: string; reason?: string }
    return { code: response.status, said, reason, date: response.headers.get('date') }
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function unreachable({ url, source }: Chosen, error: Error): Finding {
  const { code, message } = rootOf(error)
  if (code !== undefined && /^ERR_SSL|^ERR_TLS|CERT/.test(code)) {
    const mend = 'Mend the certificate, or use http:// where nothing in front of the server speaks https.'
    return failure('server', `https failed at ${url} (${code}).`, mend)
  }
  const reason = error.name === 'TimeoutError' ? `no answer within ${TIMEOUT_MS / 1000} s` : message
  const start = 'Start the server with `precedent serve`'
  const mend = `${start}, or correct the address, which is from ${source}.`
  return failure('server', `Nothing answers at ${url}: ${reason}.`, mend)
}

const MENDS: Record<string, string> = {
  starting: 'It is starting. Try again in a moment.',
  draining: 'It is stopping. Wait until it has started again.',
  'database read-only': 'Let DATABASE_URL lead to the primary; `precedent doctor` on its machine says more.',
  'database unavailable': 'Check that its database runs; `precedent doctor` on its machine says more.',
  'worker stalled': 'Read its log, then start it again; its queues stand in the console, page Operator.',
}

async function readiness(base: string): Promise<Finding> {
  const ready = await probe(base, 'readyz')
  if (ready instanceof Error) return failure('readiness', `/readyz failed: ${rootOf(ready).message}.`, 'Try again.')
  if (ready.code === 200) return ok('readiness', 'It reaches its database, and its worker is not stuck.')
  const { said = `HTTP ${ready.code}`, reason } = ready
  const why = reason === undefined ? said : `${said}, ${reason}`
  return failure('readiness', `It cannot work: ${why}.`, MENDS[said] ?? 'Read its log.')
}

function clock(theirs: number, ours: number): Finding {
  if (Number.isNaN(theirs)) {
    const message = 'The clocks of the server and of this machine were not compared: its answer has no date.'
    return warning('clock', message, 'Let the proxy before it pass the header `Date` on.')
  }
  // The server's header has no fractions of a second.
  const skew = Math.abs(theirs + 500 - ours)
  if (skew <= MOST_SKEW_MS) {
    return ok('clock', `The clocks of the server and of this machine agree within ${MOST_SKEW_MS / 1000} s.`)
  }
  const message = `The clocks of the server and of this machine differ by ${Math.round(skew / 1000)} s.`
  return warning('clock', message, 'Set both by NTP: signatures depend on the time.')
}

interface Credentials {
  check: string
  id: string
  token: string | undefined
  /** What sets both where no profile does. */
  variables: readonly [id: string, token: string]
}

async function credentials(given: Credentials, profile: Chosen, call: () => Promise<unknown>): Promise<Finding> {
  const { check, id, token, variables } = given
  const name = `The ${check} ${id}`
  const store =
    profile.name === undefined ? undefined : `Store the right ones: \`precedent profile add ${profile.name}\`.`
  if (!token) return failure(check, `${name} has no auth token.`, store ?? `Set ${variables[1]}.`)
  try {
    await call()
    return ok(check, `${name} and its auth token are accepted.`)
  } catch (error) {
    if (!(error instanceof PrecedentError || error instanceof ConnectionError)) throw error
    const { message, next } = explain(error)
    const isRefused = error instanceof PrecedentError && [401, 403].includes(error.httpStatus)
    const correct = store ?? `Correct ${variables.join(' or ')}.`
    return failure(
      check,
      `${name} ${isRefused ? 'is refused' : 'could not be checked'}: ${message}`,
      isRefused ? correct : (next ?? 'Try again.'),
    )
  }
}
