import { empty, sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, type Static, Type } from '../../platform/schema.ts'

const Deletion = Type.Object({
  organizationId: Type.String(),
  deletedAt: Type.Integer({ description: 'Epoch milliseconds. Since then nobody sees the organization.' }),
  threads: Type.Integer({ description: 'How many threads it held.' }),
  threadsRemoved: Type.Integer({ description: 'How many of them are removed and announced to webhooks.' }),
})

/** The deleted organizations whose records are being removed. */
export const getOrganizationDeletions = operation({
  path: '/v2/organizations/delete/status',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get the progress of deletions of organizations',
  description:
    'Lists deleted organizations, oldest first, that still hold records which nobody sees. One that is not listed is ' +
    'removed. An id that was deleted more than once may be listed as often. There are at most 100.',
  input: Type.Object({
    organizationIds: Type.Optional(
      Type.Array(identifier('Id of a deleted organization.'), { description: 'Default: all.' }),
    ),
  }),
  example: { organizationIds: ['acme'] },
  output: Type.Array(Deletion),
  errors: [],
  message: 'Deletions of organizations retrieved successfully.',
}).run(({ db, tenant, input: { organizationIds } }) =>
  db.query<Static<typeof Deletion>>(sql`
    select id as "organizationId", retired_at as "deletedAt", retired_threads as threads,
      removed_threads as "threadsRemoved"
    from organization
    where api_key = ${tenant.apiKey} and retired_at is not null
      ${organizationIds ? sql`and id = any(${organizationIds}::text[])` : empty}
    order by retired_at, key`),
)
