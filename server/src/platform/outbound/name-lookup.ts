import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'

interface ResolvedAddress {
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
  /** Names the search domains, as in resolv.conf(5). */
  searchFile?: string
}

const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'

const SEARCH_FILE = '/etc/resolv.conf'

/** How long a server is waited for, and how often it is asked. The second wait is longer. */
const PATIENCE = { timeout: 2_000, tries: 2 }
/** How long the servers and the files of the machine are remembered. */
const RENEWED_MS = 60_000
/** Whoever has waited so long for the machine has given up. */
const GIVEN_UP_MS = 10_000

/** There is no such name, or no server to ask. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

/**
 * Resolves names by asking DNS servers directly. The machine's own way takes a thread, of which a process has two,
 * until the server of the name answers: a few names whose servers are silent would keep all others waiting, that of the
 * database among them. So the machine is asked only for names of its hosts file or without a dot, which no stranger
 * serves, and for those that DNS does not know, one at a time. Search domains are tried as the machine tries them: in a
 * cluster, `hooks.dev` may be a service, and a stranger's host as well.
 */
export function createNameLookup(options: Options = {}): NameLookup {
  const { servers, system = ofMachine, hostsFile = HOSTS_FILE, searchFile = SEARCH_FILE } = options
  const machine = renewed(async () => ({
    resolver: resolverOf(servers),
    hosts: await namesIn(hostsFile),
    search: await searchIn(searchFile),
  }))
  const systemInTurn = oneAtATime(system)
  return async (hostname) => {
    const { resolver, hosts, search } = await machine()
    if (!hostname.includes('.') || hosts.has(hostname)) return system(hostname)
    for (const name of fullNames(hostname, search)) {
      const addresses = await resolve(resolver, name)
      if (addresses.length > 0) return addresses
    }
    return systemInTurn(hostname)
  }
}

/** The addresses that DNS has for a full name; none where it does not know the name. */
async function resolve(resolver: Resolver, name: string): Promise<ResolvedAddress[]> {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = [...addressesOf(v4, 4), ...addressesOf(v6, 6)]
  const failure = [v4, v6].map(failureOf).find((error) => error && !UNKNOWN.has(error.code ?? ''))
  if (failure && addresses.length === 0) throw failure
  return addresses
}

/** The domains that are put behind a name, and how many dots a name has that is tried without them first. */
interface Search {
  domains: string[]
  dots: number
}

const fullNames = (name: string, { domains, dots }: Search): string[] => {
  if (name.endsWith('.')) return [name]
  const searched = domains.map((domain) => `${name}.${domain}`)
  return name.split('.').length > dots ? [name, ...searched] : [...searched, name]
}

/** Reads `search`, `domain` and `options ndots` (resolv.conf(5)); the last of each counts. */
async function searchIn(file: string): Promise<Search> {
  const search: Search = { domains: [], dots: 1 }
  const text = await readFile(file, 'utf8').catch(() => '')
  for (const line of text.split('\n')) {
    const [keyword, ...words] = line.trim().split(/\s+/)
    if (keyword === 'search' || keyword === 'domain') search.domains = words.map((word) => word.replace(/\.$/, ''))
    if (keyword === 'options') search.dots = Number(/\bndots:(\d+)/.exec(line)?.[1] ?? search.dots)
  }
  return { ...search, domains: search.domains.filter((domain) => domain !== '') }
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
