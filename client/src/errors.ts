import type { ErrorStatus } from './api.ts'

/** One invalid field of a request: its path (`users[0].email`) and the rule that it breaks. */
export interface Issue {
  path: string
  message: string
}

/** More about an error. `issues` lists every invalid field of a request. */
export interface ErrorDetails {
  issues?: Issue[]
  [key: string]: unknown
}

interface Refusal {
  status: ErrorStatus | 'UNKNOWN'
  httpStatus: number
  message: string
  details?: ErrorDetails | undefined
  isOfService?: boolean
}

/** The service, or a proxy before it, has refused the call. */
export class PrecedentError extends Error {
  override name = 'PrecedentError'
  /** The error status, for example `INVALID_ARGUMENT`; `UNKNOWN` if the response is not one of the service. */
  readonly status: ErrorStatus | 'UNKNOWN'
  readonly httpStatus: number
  readonly details: ErrorDetails | undefined
  /** Names the request in the logs of the service. */
  readonly requestId: string | undefined
  /** Seconds that the service asks callers to wait, from `Retry-After`. */
  readonly retryAfter: number | undefined
  /** False if something else answered, such as a proxy before the service. */
  readonly isOfService: boolean

  constructor({ status, httpStatus, message, details, isOfService = true }: Refusal, headers: Headers) {
    super(message)
    this.status = status
    this.httpStatus = httpStatus
    this.details = details
    this.requestId = headers.get('x-request-id') ?? undefined
    this.retryAfter = secondsOf(headers)
    this.isOfService = isOfService
  }
}

/** No response arrived: the service could not be reached, or the connection broke. A write may have been done. */
export class ConnectionError extends Error {
  override name = 'ConnectionError'
}

/** No response arrived in time (`timeoutMs`, `totalTimeoutMs`). A write may have been done. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError'
}

/** The error that a response holds; a page of a proxy, or of another server at that address, is one too. */
export function refusalOf(response: Response, body: unknown): PrecedentError {
  const { status: httpStatus, headers } = response
  if (isRefusal(body)) {
    const { status, message, details } = body.error
    return new PrecedentError({ status, httpStatus, message, details }, headers)
  }
  const message = `The response is not one of the service (HTTP ${httpStatus}).`
  const status = STATUS_OF_PROXY[httpStatus] ?? 'UNKNOWN'
  return new PrecedentError({ status, httpStatus, message, isOfService: false }, headers)
}

const STATUS_OF_PROXY: Record<number, ErrorStatus> = {
  429: 'RESOURCE_EXHAUSTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

function isRefusal(body: unknown): body is { error: { status: ErrorStatus; message: string; details?: ErrorDetails } } {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false
  const { error } = body
  return typeof error === 'object' && error !== null && 'status' in error && 'message' in error
}

/** `Retry-After` in seconds: it is a number of them, or a date. */
function secondsOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  if (/^\d+$/.test(value)) return Number(value)
  // By the clock of the sender, if the response tells it.
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  const seconds = (Date.parse(value) - now) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
