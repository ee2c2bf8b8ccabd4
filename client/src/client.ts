import { type Api, OPERATIONS } from './api.ts'
import { send } from './attempt.ts'
import type { CallOptions, RetryOptions } from './call-options.ts'
import { refusalOf } from './errors.ts'
import { type PageKey, pages } from './pages.ts'
import { withRetries } from './retry.ts'

/** Where the service is, the credentials of the two levels (those that your calls need), and how calls are retried. */
export interface ClientOptions extends RetryOptions {
  /** For example `https://precedent.example.com`. */
  baseUrl: string
  apiKey?: string | undefined
  authToken?: string | undefined
  workspaceId?: string | undefined
  workspaceAuthToken?: string | undefined
  /** The `OPERATOR_TOKEN` of the server, which `createWorkspace` needs where `WORKSPACE_CREATE` is `token`. */
  operatorToken?: string | undefined
  /**
   * Called where a request held fields that the operation does not know, such as misspelt ones, with their paths and
   * the path of the operation. The service ignores them.
   */
  onIgnoredFields?: ((fields: string[], operation: string) => void) | undefined
  /** Replaces the global fetch, for a proxy or an agent of your own. */
  fetch?: typeof fetch | undefined
}

interface Operation {
  path: string
  auth: 'apiKey' | 'workspace' | 'none'
  access: 'read' | 'write'
  page?: PageKey
  stream?: true
  /** A filter that is left out means all. */
  reachesAll?: true
}

/**
 * A typed client: `client.users.addUsers({ … })`. Needs nothing but fetch. Throws a TypeError if `baseUrl` is not an
 * http(s) URL alone, or if no header can carry a credential.
 */
export function createClient(options: ClientOptions): Api {
  const baseUrl = addressOf(options)
  assertSendable(options)
  const all: Record<string, Record<string, Operation>> = OPERATIONS
  const areas = Object.entries(all).map(([area, operations]) => [
    area,
    Object.fromEntries(
      Object.entries(operations).map(([name, operation]) => [name, callable({ ...options, baseUrl }, operation)]),
    ),
  ])
  return Object.fromEntries(areas) as Api
}

function addressOf({ baseUrl }: ClientOptions): string {
  // Paths are added to it, and fetch refuses a URL with a password, which its error would show.
  const isBase = /^https?:[^?#]*$/i.test(baseUrl) && URL.canParse(baseUrl)
  const { href, username, password } = isBase ? new URL(baseUrl) : { href: '', username: '', password: '' }
  if (isBase && username + password === '') return href.replace(/\/$/, '')
  const shown = String(baseUrl || 'empty')
    .replace(/\/\/.*@/, '//…@')
    .replace(/([?#]).*/s, '$1…')
  throw new TypeError(
    `baseUrl must be an http(s) URL such as https://precedent.example.com, without user name, password, ? and #, but is: ${shown}`,
  )
}

/** Headers would say so too, but not which credential it is. A line feed at the end of a file does no harm. */
function assertSendable(options: ClientOptions): void {
  for (const name of ['apiKey', 'authToken', 'workspaceId', 'workspaceAuthToken', 'operatorToken'] as const) {
    if (/^[\x20-\x7e]*$/.test((options[name] ?? '').trim())) continue
    throw new TypeError(`${name} must have ASCII characters only: no header carries others.`)
  }
}

function callable(options: ClientOptions, operation: Operation): unknown {
  const { page } = operation
  const invoke = (data: object = {}, given: CallOptions = {}) => call(options, operation, data, given)
  if (page === undefined) return invoke
  return Object.assign(invoke, {
    pages: (data: object = {}, given?: CallOptions) => pages(page, (each) => invoke(each, given), data),
  })
}

/**
 * Calls an operation: one body and one idempotency key for all of its attempts. Rejects with a TypeError, and sends
 * nothing, where an operation that reaches all without a filter has a field that is undefined or null, or where a
 * number is NaN or infinite.
 */
async function call(options: ClientOptions, operation: Operation, data: object, given: CallOptions): Promise<unknown> {
  if (operation.reachesAll) assertFilled(operation, data)
  const { signal } = given
  const isIdempotentWrite = operation.access === 'write' && operation.auth !== 'none'
  const idempotencyKey = given.idempotencyKey ?? (isIdempotentWrite ? crypto.randomUUID() : undefined)
  const request = {
    fetch: options.fetch ?? fetch,
    url: options.baseUrl + operation.path,
    headers: new Headers({
      'content-type': 'application/json',
      ...credentials(options, operation.auth, data),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    }),
    body: JSON.stringify({ data }, finite),
    signal,
  }
  const attempt = async (timeoutMs: number) => {
    const answer = await send({ ...request, timeoutMs })
    const ignored = answer.response.headers.get('x-ignored-fields')
    if (ignored) options.onIgnoredFields?.(ignored.split(',').map(decodeURIComponent), operation.path)
    return resultOf(operation, answer)
  }
  const isRepeatable = operation.access === 'read' || isIdempotentWrite
  return withRetries(attempt, { ...retryOptions(options), ...retryOptions(given), isRepeatable, signal })
}

/** JSON has no such numbers and writes null, which the service takes for absent: `createdAt: NaN` would mean now. */
function finite(field: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  throw new TypeError(`${field} is ${value}. It must be a number.`)
}

/** Throws a TypeError for a field that would be left out: of a deletion, that would delete all. */
function assertFilled({ path }: Operation, data: object): void {
  for (const [field, value] of Object.entries(data)) {
    if (value !== undefined && value !== null) continue
    throw new TypeError(
      `${field} is ${value}. Left out of ${path}, it may mean all: leave it out only if you mean that.`,
    )
  }
}

/** The options that are set, so that those of a call override those of the client. */
function retryOptions({ maxRetries, retryDelayMs, timeoutMs, totalTimeoutMs }: RetryOptions): RetryOptions {
  return Object.fromEntries(
    Object.entries({ maxRetries, retryDelayMs, timeoutMs, totalTimeoutMs }).filter(([, value]) => value !== undefined),
  )
}

function credentials(options: ClientOptions, auth: Operation['auth'], data: object): Record<string, string> {
  if (auth === 'apiKey') {
    return { 'x-service-api-key': options.apiKey ?? '', 'x-service-auth-token': options.authToken ?? '' }
  }
  if (auth === 'workspace') {
    return {
      'x-service-workspace-id': options.workspaceId ?? '',
      'x-service-workspace-auth-token': options.workspaceAuthToken ?? '',
    }
  }
  // Not needed, but taken: `workspace/create` may ask for the operator, and `auth/token/get` reads the API key here.
  const { apiKey, authToken, operatorToken } = options
  return {
    ...(operatorToken && { authorization: `Bearer ${operatorToken}` }),
    ...(apiKey && authToken && !('apiKey' in data) && credentials(options, 'apiKey', data)),
  }
}

function resultOf({ stream }: Operation, { response, text }: { response: Response; text: string }): unknown {
  if (stream && response.ok) return text
  const body = parse(text)
  if (response.ok && typeof body === 'object' && body !== null && 'result' in body) return body.result
  throw refusalOf(response, body)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
