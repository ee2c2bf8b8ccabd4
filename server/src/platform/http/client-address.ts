import { isIP } from 'node:net'
import { createNetworkList } from '../outbound/address.ts'

/** The client address of a request: from the address of its socket, and from its X-Forwarded-For header if any. */
type ClientAddress = (socketAddress: string, forwardedFor: string | undefined) => string

/**
 * Creates the rule for client addresses. It is the socket's, unless that is one of the trusted proxies. Then it is the
 * last entry of X-Forwarded-For that is not a trusted proxy. The port of an entry is cut; an entry that is no address
 * then counts as the socket's address.
 */
export function createClientAddress(trustedProxies: string[]): ClientAddress {
  const isProxy = createNetworkList(trustedProxies)
  return (socketAddress, forwardedFor) => {
    let address = socketAddress
    for (const entry of (forwardedFor?.split(',') ?? []).reverse()) {
      if (!isProxy(address)) return address
      address = withoutPort(entry.trim())
      if (!isIP(address)) return socketAddress
    }
    return address
  }
}

const withoutPort = (entry: string) =>
  entry.replace(/^"?\[([^\]]*)\](:\d+)?"?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
