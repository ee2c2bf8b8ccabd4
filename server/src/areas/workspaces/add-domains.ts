import { resultsOf } from '../../platform/bulk.ts'
import { operation } from '../../platform/operation.ts'
import { itemResult, mapOf, Type } from '../../platform/schema.ts'
import { Domains, distinctDomains, domainIssues, domainState, insertDomains } from './allowed-domain.ts'

/** Lists domains whose pages may call with the API key from a browser. */
export const addDomains = operation({
  path: '/v2/workspace/domains/add',
  twin: '/v1/workspace/domains/add',
  auth: 'apiKey',
  access: 'write',
  administers: domainState,
  summary: 'Add allowed domains',
  input: Type.Object({ domains: Domains }),
  example: { domains: ['app.example.com'] },
  output: Type.Object({
    domainsAdded: Type.Array(Type.String()),
    skippedDomains: Type.Array(Type.String(), { description: 'Domains that were listed already.' }),
    results: mapOf(itemResult(), 'One result per domain, as it is listed.'),
  }),
  errors: [],
  message: 'Domain(s) added successfully to allowed domains.',
  check: ({ domains }) => domainIssues(domains, 'domains'),
}).run(async ({ db, tenant, input }) => {
  const added = await insertDomains(db, tenant.apiKey, input.domains)
  const domains = distinctDomains(input.domains)
  return {
    domainsAdded: domains.filter((domain) => added.has(domain)),
    skippedDomains: domains.filter((domain) => !added.has(domain)),
    results: resultsOf(domains, (domain) =>
      added.has(domain)
        ? { success: true, message: 'Domain added.' }
        : { success: false, message: 'Domain is already allowed.' },
    ),
  }
})
