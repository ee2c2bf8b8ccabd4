import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/**
 * Makes the rule by which outbound connections are judged: globally routable unicast addresses are admitted, every
 * special range (private, loopback, link-local, metadata, translation prefixes, …) only where `allow` names it.
 */
export function createAddressRule(allow: string[]): (address: string) => boolean {
  const allowed = allow.map((range) => ipaddr.parseCIDR(range))
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    // IPv4-mapped IPv6 addresses (::ffff:a.b.c.d) reach the IPv4 address in them, and are judged as it.
    const address = ipaddr.process(text)
    return allowed.some((range) => contains(range, address)) || isGlobal(address)
  }
}

/** What one caller holds of the address space: an IPv4 address, or the /64 network of an IPv6 address (RFC 6177). */
export function networkOf(text: string): string {
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0])}/64`
}

const contains = ([network, bits]: [Address, number], address: Address) =>
  network.kind() === address.kind() && address.match(network, bits)

// Outside 2000::/3 nothing is assigned to hosts of the internet; what lies there embeds IPv4 addresses (IPv4-compatible
// ::/96, NAT64 64:ff9b::/96 and 64:ff9b:1::/48) or is local.
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
// Azure's host agent, which hands out credentials, has a public address.
const AZURE_HOST_AGENT = '168.63.129.16'

function isGlobal(address: Address): boolean {
  if (address.range() !== 'unicast' || address.toString() === AZURE_HOST_AGENT) return false
  return address.kind() === 'ipv4' || contains(GLOBAL_IPV6, address)
}
