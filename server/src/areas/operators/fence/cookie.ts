import { ApiError } from '../../../platform/errors.ts'
import { createNetworkList } from '../../../platform/outbound/address.ts'
import { FLOW_MINUTES } from '../oidc/flow.ts'

/** What a request shows of the connection that it came by. */
export interface Arrival {
  headers: Record<string, string | string[] | undefined>
  socket: { remoteAddress?: string | undefined }
}

/** What cookies look like, by how the browser reaches the console. */
export interface CookieRule {
  nameOf: (purpose: Purpose) => string
  attributes: string
}

/** `session` stays until the browser is closed, `sign-in` for as long as one may be under way. */
type Purpose = 'session' | 'sign-in'

const NAMES: Record<Purpose, string> = { session: 'precedent_session', 'sign-in': 'precedent_sign_in' }
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict'
const SECURE: CookieRule = {
  nameOf: (purpose) => `__Host-${NAMES[purpose]}`,
  attributes: `${ATTRIBUTES}; Secure`,
}
/**
 * Named after the port: the ports of a host share their cookies (RFC 6265 §8.5), and another installation may have
 * one of them.
 */
const loopback = (port: string): CookieRule => ({
  nameOf: (purpose) => (port === '' ? NAMES[purpose] : `${NAMES[purpose]}_${port}`),
  attributes: ATTRIBUTES,
})

/**
 * Returns the rule for cookies. Over https, which a trusted proxy reports, only `__Host-` counts. Plain http is served
 * on loopback alone, which a trusted gateway may forward, as to a container; elsewhere PERMISSION_DENIED says why.
 */
export function createCookieRule(trustProxy: string[]): (arrival: Arrival) => CookieRule {
  const isProxy = createNetworkList(trustProxy)
  const isLoopback = createNetworkList(['127.0.0.0/8', '::1/128'])
  return ({ headers, socket: { remoteAddress = '' } }) => {
    const isTrusted = isProxy(remoteAddress)
    if (isTrusted && headers['x-forwarded-proto'] === 'https') return SECURE
    // A gateway forwards a port of this machine as it is. A proxy, which may be elsewhere, names the protocol.
    const isHere = isLoopback(remoteAddress) || (isTrusted && headers['x-forwarded-proto'] === undefined)
    // The Host header too: another site's name may lead to loopback (DNS rebinding).
    const host = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::(\d{1,5}))?$/.exec(String(headers.host ?? ''))
    if (isHere && host) return loopback(host[1] ?? '')
    throw new ApiError(
      'PERMISSION_DENIED',
      'The console is served over https only, because over http others on the network could read the session. ' +
        'Put a proxy with https before it, which sets X-Forwarded-Proto and is listed in TRUST_PROXY. ' +
        'On the machine itself, open it as http://localhost; if it runs in a container there, list the gateway of its ' +
        'network in TRUST_PROXY.',
    )
  }
}

/** The value of a cookie; undefined when it is missing. */
export function readCookie({ headers }: Arrival, { nameOf }: CookieRule, purpose: Purpose): string | undefined {
  const start = `${nameOf(purpose)}=`
  const pairs = String(headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length)
}

/** The header that sets the cookie, or removes it. */
export function cookieHeader({ nameOf, attributes }: CookieRule, purpose: Purpose, value: string | null): string {
  const name = nameOf(purpose)
  if (value === null) return `${name}=; Max-Age=0; ${attributes}`
  const age = purpose === 'sign-in' ? `Max-Age=${FLOW_MINUTES * 60}; ` : ''
  return `${name}=${value}; ${age}${attributes}`
}
