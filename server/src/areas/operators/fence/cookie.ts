import { ApiError } from '../../../platform/errors.ts'
import { createNetworkList } from '../../../platform/outbound/address.ts'

/** What a request shows of the connection that it came by. */
export interface Arrival {
  headers: Record<string, string | string[] | undefined>
  socket: { remoteAddress?: string | undefined }
}

/** The cookie of the session, by how the browser reaches the console. */
export interface CookieRule {
  name: string
  attributes: string
}

const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict'
const SECURE: CookieRule = { name: '__Host-precedent_session', attributes: `${ATTRIBUTES}; Secure` }
const LOOPBACK: CookieRule = { name: 'precedent_session', attributes: ATTRIBUTES }

/**
 * Returns the rule for cookies. Over https, which a trusted proxy reports, only `__Host-` counts. Plain http is served on
 * loopback alone; elsewhere PERMISSION_DENIED says why.
 */
export function createCookieRule(trustProxy: string[]): (arrival: Arrival) => CookieRule {
  const isProxy = createNetworkList(trustProxy)
  const isLoopback = createNetworkList(['127.0.0.0/8', '::1/128'])
  return ({ headers, socket: { remoteAddress = '' } }) => {
    const isHttps = isProxy(remoteAddress) && headers['x-forwarded-proto'] === 'https'
    if (isHttps) return SECURE
    // The Host header too: another site's name may lead to loopback (DNS rebinding).
    const host = String(headers.host ?? '').replace(/:\d+$/, '')
    if (isLoopback(remoteAddress) && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host)) return LOOPBACK
    throw new ApiError(
      'PERMISSION_DENIED',
      'The console is served over https only, because over http others on the network could read the session. ' +
        'Put a proxy with https before it, which sets X-Forwarded-Proto and is listed in TRUST_PROXY. ' +
        'On the machine itself, open it as http://localhost.',
    )
  }
}

/** The value of a cookie; undefined when it is missing. */
export function readCookie({ headers }: Arrival, { name }: CookieRule): string | undefined {
  const pairs = String(headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

/** The header that sets the cookie, or removes it. */
export const cookieHeader = ({ name, attributes }: CookieRule, value: string | null): string =>
  value === null ? `${name}=; Max-Age=0; ${attributes}` : `${name}=${value}; ${attributes}`
