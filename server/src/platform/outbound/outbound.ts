import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { invalidField } from '../errors.ts'
import { createAddressRule } from './address.ts'
import { createNameLookup, type NameLookup } from './name-lookup.ts'

/** The only door for outbound HTTP. It connects only to admitted addresses and follows no redirect. */
export interface Outbound {
  /**
   * Throws INVALID_ARGUMENT naming `field` unless `url` is http(s), has no credentials, and is not a forbidden literal
   * address.
   */
  assertUrl(url: string, field: string): void
  /** Sends one request. Throws `OutboundError` if there is no complete response in time. */
  request(request: OutboundRequest): Promise<OutboundResponse>
  /** Aborts the requests that are in flight. */
  close(): Promise<void>
}

interface OutboundRequest {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string | Uint8Array
  /** The total for resolving, connecting, sending and receiving the response. */
  timeoutMs: number
  /** The response body is cut at this length; the rest is never read. */
  maxResponseBytes: number
}

/** A response, of any status. Its body may be cut at `maxResponseBytes`. */
export interface OutboundResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  durationMs: number
}

/** Whether a status is one of success (2xx). */
export const isSuccess = (status: unknown): boolean => typeof status === 'number' && status >= 200 && status < 300

type OutboundFailure = 'refused-address' | 'timeout' | 'unreachable'

/**
 * There was no response. The message is safe to show the customer: it contains no address that only the resolver knows.
 */
export class OutboundError extends Error {
  override name = 'OutboundError'
  readonly failure: OutboundFailure
  readonly durationMs: number
  constructor(failure: OutboundFailure, message: string, durationMs: number, cause: unknown) {
    super(message, { cause })
    this.failure = failure
    this.durationMs = durationMs
  }
}

interface OutboundOptions {
  /** CIDR ranges that are admitted although they are special. */
  allow: string[]
  lookup?: NameLookup
}

/** Opens the door, with a pool of connections per origin behind it. */
export function createOutbound({ allow, lookup = createNameLookup() }: OutboundOptions): Outbound {
  const admits = createAddressRule(allow)
  const agent = new Agent({ connect: guardedConnector(admits, lookup), headersTimeout: 0, bodyTimeout: 0 })
  return {
    assertUrl: (url, field) => assertUrl(url, field, admits),
    request: (request) => exchange(agent, request),
    close: () => agent.destroy(),
  }
}

// Frees the sockets of hosts that never answer; the caller's own limit may come earlier.
const CONNECT_TIMEOUT_MS = 10_000

function assertUrl(text: string, field: string, admits: (address: string) => boolean): void {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:\/\//i.test(text)) throw invalidField(field, 'must be an http or https URL')
  if (url.username || url.password) throw invalidField(field, 'must not carry a user name or a password')
  // The URL parser has turned decimal, octal, hexadecimal and shortened IPv4 forms into the dotted one.
  const host = withoutBrackets(url.hostname)
  if (isIP(host) && !admits(host)) throw invalidField(field, PRIVATE)
}

const PRIVATE = 'must not name a private or special address that `OUTBOUND_ALLOW` does not admit'

class RefusedAddress extends Error {
  constructor(hostname: string) {
    super(`${hostname} may not be called`)
  }
}

/** Judges the addresses that a socket is about to use, so that no later resolution can differ from the judged one. */
function guardedConnector(admits: (address: string) => boolean, lookup: NameLookup) {
  const guardedLookup: LookupFunction = (hostname, { all }, answer) => {
    lookup(hostname)
      .then((addresses) => {
        const [first] = addresses
        // One forbidden address condemns the name: what else it says cannot be trusted either.
        if (!first || !addresses.every(({ address }) => admits(address))) throw new RefusedAddress(hostname)
        if (all) answer(null, addresses)
        else answer(null, first.address, first.family)
      })
      .catch((error: NodeJS.ErrnoException) => answer(error, all ? [] : '', 0))
  }
  const connect = buildConnector({ lookup: guardedLookup, timeout: CONNECT_TIMEOUT_MS } as buildConnector.BuildOptions)
  return (options: buildConnector.Options, answer: buildConnector.Callback) => {
    // Sockets look up names only; literal addresses are checked here.
    const host = withoutBrackets(options.hostname)
    if (isIP(host) && !admits(host)) return answer(new RefusedAddress(host), null)
    connect(options, answer)
  }
}

/** Collects the response from undici's dispatcher, without the stream that its `request` makes of every body. */
function exchange(agent: Agent, request: OutboundRequest): Promise<OutboundResponse> {
  const { url, method, headers, body = null, timeoutMs, maxResponseBytes } = request
  const { origin, pathname, search } = new URL(url)
  const started = performance.now()
  const durationMs = () => Math.round(performance.now() - started)
  return new Promise((resolve, reject) => {
    const answer: Omit<OutboundResponse, 'body' | 'durationMs'> = { status: 0, headers: {} }
    const chunks: Buffer[] = []
    let length = 0
    let controller: Dispatcher.DispatchController | undefined
    let isOver = false
    const end = (settle: () => void) => {
      isOver = true
      clearTimeout(timer)
      settle()
    }
    const fail = (error: unknown, timedOut: boolean) =>
      end(() => reject(toOutboundError(error, request, durationMs(), timedOut)))
    const succeed = () => {
      const kept = Buffer.concat(chunks).subarray(0, maxResponseBytes)
      end(() => resolve({ status: answer.status, headers: answer.headers, body: kept, durationMs: durationMs() }))
    }
    const timer = setTimeout(() => {
      fail(undefined, true)
      controller?.abort(new GivenUp())
    }, timeoutMs)
    agent.dispatch(
      { origin, path: pathname + search, method, headers, body },
      {
        onRequestStart(begun) {
          controller = begun
          // A request that was aborted before it was connected is never sent.
          if (isOver) begun.abort(new GivenUp())
        },
        onResponseStart(_, status, received) {
          answer.status = status
          answer.headers = received
        },
        onResponseData(_, chunk) {
          if (isOver) return
          chunks.push(chunk)
          length += chunk.length
          if (length <= maxResponseBytes) return
          succeed()
          // Closes the connection, so that an endless response costs nothing more.
          controller?.abort(new GivenUp())
        },
        onResponseEnd: () => {
          if (!isOver) succeed()
        },
        onResponseError: (_, error) => {
          if (!isOver) fail(error, false)
        },
      },
    )
  })
}

class GivenUp extends Error {}

function toOutboundError(error: unknown, { timeoutMs }: OutboundRequest, durationMs: number, timedOut: boolean) {
  if (timedOut) return new OutboundError('timeout', `No answer within ${timeoutMs} ms.`, durationMs, error)
  const cause = causeOf(error)
  const { code = 'no code' } = cause as { code?: string }
  if (cause instanceof RefusedAddress) return new OutboundError('refused-address', NO_ADDRESS, durationMs, error)
  if (UNRESOLVED.has(code)) return new OutboundError('unreachable', NO_ADDRESS, durationMs, error)
  return new OutboundError('unreachable', `${FAILURES[code] ?? 'The request failed'} (${code}).`, durationMs, error)
}

// When several addresses have failed, undici throws one AggregateError.
function causeOf(error: unknown): object {
  if (error instanceof AggregateError) return causeOf(error.errors[0])
  return error instanceof Error ? error : {}
}

// The same words for a name that is refused and one that does not resolve. Otherwise the delivery log would tell which
// names exist in the operator's network.
const NO_ADDRESS = 'The host has no address that may be called.'
const UNRESOLVED = new Set([
  ...['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA'],
  ...['ENODATA', 'ESERVFAIL', 'ETIMEOUT', 'EREFUSED', 'EBADNAME', 'EBADRESP', 'EFORMERR', 'ENOTIMP'],
])

const FAILURES: Record<string, string> = {
  UND_ERR_CONNECT_TIMEOUT: 'The host did not accept a connection in time',
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was reset',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The network cannot be reached',
  UND_ERR_SOCKET: 'The connection was closed before the answer was complete',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large',
}

const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1')
