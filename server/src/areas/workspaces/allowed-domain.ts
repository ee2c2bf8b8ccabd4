import { apiKeyOf } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import type { Issue } from '../../platform/errors.ts'
import type { StateReader } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'

/** Domains as callers write them: bare or as URLs, wildcards as `*.host`. */
export const Domains = Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
  maxItems: 100,
  description: 'Hosts whose pages may call; protocol and `www.` are stripped, `*.host` covers every subdomain.',
})

/**
 * Normalises a domain to a bare host: lower case, IDNA-encoded, without protocol, `www.`, port and path. Undefined if
 * it is not a domain.
 */
export function normaliseDomain(domain: string): string | undefined {
  const bare = domain.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
  if (!URL.canParse(`http://${bare}`)) return undefined
  const host = new URL(`http://${bare}`).hostname.replace(/^www\.(?=.)|\.$/g, '')
  return /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$|^\[[0-9a-f:.]+\]$/.test(host) ? host : undefined
}

/** One issue per entry that is not a domain. */
export const domainIssues = (domains: string[], path: string): Issue[] =>
  domains.flatMap((domain, index) =>
    normaliseDomain(domain) === undefined
      ? [{ path: `${path}[${index}]`, message: 'must be a domain, such as example.com or *.example.com' }]
      : [],
  )

/** The distinct hosts of a list that passed `domainIssues`, in its order. */
export const distinctDomains = (domains: string[]): string[] => [
  ...new Set(domains.flatMap((domain) => normaliseDomain(domain) ?? [])),
]

/** Lists domains for an API key; returns those that were not listed before. */
export async function insertDomains(db: Db, apiKey: string, domains: string[]): Promise<Set<string>> {
  const rows = await db.query<{ domain: string }>(sql`
    insert into allowed_domain (api_key, domain)
    select ${apiKey}, d.domain
    from unnest(${distinctDomains(domains)}::text[]) as d (domain)
    order by d.domain
    on conflict do nothing
    returning domain`)
  return new Set(rows.map(({ domain }) => domain))
}

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/

/** The host of an origin that may be listed; empty for any other. */
function hostOf(origin: string): string {
  if (!URL.canParse(origin)) return ''
  const { protocol, port, hostname } = new URL(origin)
  if (protocol === 'https:' && port === '') return hostname
  return /^https?:$/.test(protocol) && LOOPBACK.test(hostname) ? hostname : ''
}

// RFC 1035 §2.3.4. A longer host is not a name, and each of its many labels would cost a look-up.
const MAX_HOST = 253

/**
 * Whether the API key lists the origin's host or a wildcard above it. Without a key: whether any key does. An origin
 * counts with https on the default port. A loopback host counts with http and with any port too.
 */
export async function admitsOrigin(db: Db, origin: string, apiKey: string | undefined): Promise<boolean> {
  const host = hostOf(origin)
  const listed = host.length > MAX_HOST ? undefined : normaliseDomain(host)
  if (listed === undefined) return false
  const labels = host.split('.')
  const candidates = [listed, ...labels.slice(1).map((_, i) => `*.${labels.slice(i + 1).join('.')}`)]
  const [row] = await db.query<{ admitted: boolean }>(
    apiKey === undefined
      ? sql`select exists (select from allowed_domain where domain = any(${candidates}::text[])) as admitted`
      : sql`
        select exists (
          select from allowed_domain where api_key = ${apiKey} and domain = any(${candidates}::text[])
        ) as admitted`,
  )
  return row?.admitted === true
}

/** The domains of an API key, for an audit record: each is a field, so that the record holds those that changed. */
export const domainState: StateReader = async ({ db, tenant }) => {
  const apiKey = apiKeyOf(tenant)
  const rows = await db.query<{ domain: string }>(sql`
    select domain from allowed_domain where api_key = ${apiKey} order by domain`)
  return { domains: Object.fromEntries(rows.map(({ domain }) => [domain, true])) }
}
