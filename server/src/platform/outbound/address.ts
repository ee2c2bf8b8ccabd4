import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/**
 * Creates the rule that checks the addresses of outbound connections. It admits globally routable unicast addresses.
 * Special ranges (private, loopback, link-local, metadata, translation prefixes, …) need an entry in `allow`.
 */
export function createAddressRule(allow: string[]): (address: string) => boolean {
  const isAllowed = createNetworkList(allow)
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    // An IPv4-mapped IPv6 address (::ffff:a.b.c.d) reaches the IPv4 address in it and is checked as that.
    return isAllowed(text) || isGlobal(ipaddr.process(text))
  }
}

/** Creates the test whether an address is in a list of addresses and CIDR ranges. */
export function createNetworkList(list: string[]): (address: string) => boolean {
  const networks = list.map((entry) => (entry.includes('/') ? ipaddr.parseCIDR(entry) : hostNetwork(entry)))
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    return networks.some((network) => contains(network, address))
  }
}

function hostNetwork(text: string): [Address, number] {
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** The network of one caller: an IPv4 address, or the /64 network of an IPv6 address (RFC 6177). */
export function networkOf(text: string): string {
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0])}/64`
}

const contains = ([network, bits]: [Address, number], address: Address) =>
  network.kind() === address.kind() && address.match(network, bits)

// Hosts of the internet have addresses in 2000::/3 only. The rest embeds IPv4 addresses (IPv4-compatible ::/96, NAT64
// 64:ff9b::/96 and 64:ff9b:1::/48) or is local.
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
// Azure's host agent gives out credentials and has a public address.
const AZURE_HOST_AGENT = '168.63.129.16'

function isGlobal(address: Address): boolean {
  if (address.range() !== 'unicast' || address.toString() === AZURE_HOST_AGENT) return false
  return address.kind() === 'ipv4' || contains(GLOBAL_IPV6, address)
}
