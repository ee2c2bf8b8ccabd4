import { resultsOf } from '../../platform/bulk.ts'
import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { itemResult, mapOf, Type } from '../../platform/schema.ts'
import { Domains, distinctDomains, domainIssues, domainState } from './allowed-domain.ts'

/** Removes domains from the list; their pages are refused at once. */
export const deleteDomains = operation({
  path: '/v2/workspace/domains/delete',
  twin: '/v1/workspace/domains/delete',
  auth: 'apiKey',
  access: 'write',
  administers: domainState,
  summary: 'Delete allowed domains',
  input: Type.Object({ domains: Domains }),
  example: { domains: ['app.example.com'] },
  output: Type.Object({
    domainsRemoved: Type.Array(Type.String()),
    skippedDomains: Type.Array(Type.String(), { description: 'Domains that were not listed.' }),
    results: mapOf(itemResult(), 'One result per domain, as it was listed.'),
  }),
  errors: [],
  message: 'Domain(s) deleted successfully from allowed domains.',
  check: ({ domains }) => domainIssues(domains, 'domains'),
}).run(async ({ db, tenant, input }) => {
  const domains = distinctDomains(input.domains)
  const rows = await db.query<{ domain: string }>(sql`
    with doomed as materialized (
      select domain
      from allowed_domain
      where api_key = ${tenant.apiKey} and domain = any(${domains}::text[])
      order by domain
      for update
    )
    delete from allowed_domain
    where api_key = ${tenant.apiKey} and domain in (select domain from doomed)
    returning domain`)
  const removed = new Set(rows.map(({ domain }) => domain))
  return {
    domainsRemoved: domains.filter((domain) => removed.has(domain)),
    skippedDomains: domains.filter((domain) => !removed.has(domain)),
    results: resultsOf(domains, (domain) =>
      removed.has(domain)
        ? { success: true, message: 'Domain deleted.' }
        : { success: false, message: 'Domain is not allowed.' },
    ),
  }
})
