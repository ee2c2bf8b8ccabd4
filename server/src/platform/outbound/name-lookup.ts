import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'

export interface ResolvedAddress {
  address: string
  family: number
}

/** All addresses of a name, in the order in which they are tried. */
export type NameLookup = (hostname: string) => Promise<ResolvedAddress[]>

interface Options {
  /** The DNS servers to ask; default: those of the machine. */
  servers?: string[]
  /** How the machine itself resolves names: by its hosts file, its search domains and more. */
  system?: NameLookup
  hostsFile?: string
}

const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'

/** How long a server is waited for, and how often it is asked. The second wait is longer. */
const PATIENCE = { timeout: 2_000, tries: 2 }
/** How long the servers and the hosts file of the machine are remembered. */
const RENEWED_MS = 60_000
/** Whoever has waited so long for the machine has given up. */
const GIVEN_UP_MS = 10_000

/** There is no such name, or no server to ask. The machine may know it by a search domain. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

/**
 * Resolves names by asking DNS servers directly. The machine's own way takes a thread, of which a process has two, until
 * the server of the name answers: a few names whose servers are silent would keep all others waiting, that of the
 * database among them. So the machine is asked only for names of its hosts file or without a dot, which no stranger
 * serves, and for those that DNS does not know, one at a time.
 */
export function createNameLookup({ servers, system = ofMachine, hostsFile = HOSTS_FILE }: Options = {}): NameLookup {
  const machine = renewed(async () => ({ resolver: resolverOf(servers), hosts: await namesIn(hostsFile) }))
  const systemInTurn = oneAtATime(system)
  return async (hostname) => {
    const { resolver, hosts } = await machine()
    if (!hostname.includes('.') || hosts.has(hostname)) return system(hostname)
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = [...addressesOf(v4, 4), ...addressesOf(v6, 6)]
    if (addresses.length > 0) return addresses
    const failure = [v4, v6].map(failureOf).find((error) => error && !UNKNOWN.has(error.code ?? ''))
    if (failure) throw failure
    return systemInTurn(hostname)
  }
}

const ofMachine: NameLookup = (hostname) => lookup(hostname, { all: true, order: 'verbatim' })

function resolverOf(servers: string[] | undefined): Resolver {
  const resolver = new Resolver(PATIENCE)
  if (servers) resolver.setServers(servers)
  return resolver
}

/** The names in a hosts file (hosts(5)), in lower case; none without the file. */
async function namesIn(file: string): Promise<Set<string>> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return new Set(
    text.split('\n').flatMap((line) => {
      const [, ...names] = line.toLowerCase().split('#', 1).join().trim().split(/\s+/)
      return names
    }),
  )
}

/** Makes a value again when it is asked for after a minute. */
function renewed<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: { value: Promise<Value>; at: number } | undefined
  return () => {
    if (!made || performance.now() - made.at >= RENEWED_MS) made = { value: make(), at: performance.now() }
    return made.value
  }
}

function oneAtATime(resolve: NameLookup): NameLookup {
  let last: Promise<unknown> = Promise.resolve()
  return (hostname) => {
    const since = performance.now()
    const turn = last.then(() => {
      if (performance.now() - since < GIVEN_UP_MS) return resolve(hostname)
      throw Object.assign(new Error(`${hostname} was not looked up in time`), { code: 'ETIMEOUT' })
    })
    last = turn.catch(() => {})
    return turn
  }
}

const addressesOf = (outcome: PromiseSettledResult<string[]>, family: number): ResolvedAddress[] =>
  outcome.status === 'fulfilled' ? outcome.value.map((address) => ({ address, family })) : []

const failureOf = (outcome: PromiseSettledResult<string[]>): NodeJS.ErrnoException | undefined =>
  outcome.status === 'rejected' ? outcome.reason : undefined
