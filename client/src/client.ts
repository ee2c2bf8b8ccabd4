import { type Api, OPERATIONS } from './api.ts'
import type { CallOptions } from './call-options.ts'

/** Credentials of the two levels; give those that your calls need. */
export interface ClientOptions {
  /** Where the service is, for example `https://precedent.example.com`. */
  baseUrl: string
  apiKey?: string
  authToken?: string
  workspaceId?: string
  workspaceAuthToken?: string
  /** Replaces the global fetch, for a proxy or an agent of your own. */
  fetch?: typeof fetch
}

/** A failure as the service tells it. */
export class PrecedentError extends Error {
  override name = 'PrecedentError'
  /** The error status, for example `INVALID_ARGUMENT`. */
  readonly status: string
  /** The HTTP status. */
  readonly code: number
  /** More about the failure; `issues` lists every bad field of a bad request. */
  readonly details: Record<string, unknown> | undefined
  readonly requestId: string | null

  constructor(
    message: string,
    status: string,
    code: number,
    requestId: string | null,
    details?: Record<string, unknown>,
  ) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.details = details
  }
}

/** A typed client: `client.users.addUsers({ … })`. Needs nothing but fetch. */
export function createClient(options: ClientOptions): Api {
  const all: Record<string, Record<string, { path: string; auth: string }>> = OPERATIONS
  const areas = Object.entries(all).map(([area, operations]) => [
    area,
    Object.fromEntries(
      Object.entries(operations).map(([name, { path, auth }]) => [
        name,
        (data: object = {}, call: CallOptions = {}) => send(options, path, credentials(options, auth), data, call),
      ]),
    ),
  ])
  return Object.fromEntries(areas) as Api
}

function credentials(options: ClientOptions, auth: string): Record<string, string> {
  if (auth === 'apiKey') {
    return { 'x-service-api-key': options.apiKey ?? '', 'x-service-auth-token': options.authToken ?? '' }
  }
  if (auth === 'workspace') {
    return {
      'x-service-workspace-id': options.workspaceId ?? '',
      'x-service-workspace-auth-token': options.workspaceAuthToken ?? '',
    }
  }
  return {}
}

async function send(
  options: ClientOptions,
  path: string,
  headers: Record<string, string>,
  data: object,
  { idempotencyKey, signal }: CallOptions,
): Promise<unknown> {
  const request = options.fetch ?? fetch
  const response = await request(options.baseUrl.replace(/\/$/, '') + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...headers,
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify({ data }),
    ...(signal && { signal }),
  })
  if (!response.headers.get('content-type')?.includes('application/json') && response.ok) return response.text()
  const body = (await response.json().catch(() => ({}))) as {
    result?: unknown
    error?: { status: string; message: string; code: number; details?: Record<string, unknown> }
  }
  if (body.error) {
    const { message, status, code, details } = body.error
    throw new PrecedentError(message, status, code, response.headers.get('x-request-id'), details)
  }
  if (!response.ok) throw new PrecedentError(response.statusText, 'UNAVAILABLE', response.status, null)
  return body.result
}
