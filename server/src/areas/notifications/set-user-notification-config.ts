import { resultsOf } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { keyOf, optionalKey } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, type Static, Type } from '../../platform/schema.ts'
import { ensureOrganization } from '../organizations/organization.ts'
import { MAX_PAIRS } from '../permissions/permission-entry.ts'
import { Preference } from './recipients/preference.ts'

const SET = 'User config set successfully.'
const Change = Type.Partial(Preference)

/**
 * Sets the notification preferences of users, in documents or in the organization as a whole. Omitted channels stay.
 */
export const setUserNotificationConfig = operation({
  path: '/v2/notifications/config/set',
  twin: '/v1/notifications/config/set',
  auth: 'apiKey',
  access: 'write',
  summary: "Set users' notification preferences",
  description: `One call sets at most ${MAX_PAIRS} pairs of a user and a document.`,
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    documentIds: Type.Optional(
      Type.Array(identifier('Id of a document.'), {
        description: 'Omitted: for every document that has no preferences of its own.',
      }),
    ),
    userIds: Type.Array(identifier('Id of a user.')),
    config: Change,
  }),
  example: {
    organizationId: 'example',
    userIds: ['iris'],
    documentIds: ['newsletter'],
    config: { inbox: 'ALL', email: 'MINE' },
  },
  output: mapOf(
    itemResult({
      userId: Type.String(),
      documentId: Type.Optional(Type.String({ description: 'The document, where it is one.' })),
      documentIds: Type.Optional(Type.Array(Type.String(), { description: 'The documents that it was set for.' })),
    }),
    'One result per user id.',
  ),
  errors: ['NOT_FOUND'],
  message: SET,
  check: ({ config, userIds, documentIds }) => [
    ...(config.inbox || config.email || config.slack
      ? []
      : [{ path: 'config', message: 'must name at least one of inbox, email and slack' }]),
    ...(new Set(userIds).size * new Set(documentIds).size > MAX_PAIRS
      ? [{ path: 'userIds', message: `must not make more than ${MAX_PAIRS} pairs with the documents` }]
      : []),
  ],
}).run(async ({ db, tenant, input }) => {
  const { organizationId, documentIds, config } = input
  const { key } = await ensureOrganization(db, tenant, organizationId, { create: false })
  const known = documentIds && (await holdDocuments(db, tenant, key, documentIds))
  const userIds = [...new Set(input.userIds)]
  await writePreferences(db, tenant, { organizationKey: key, userIds, documentIds: known ?? [null], config })
  const unknown = [...new Set(documentIds)].filter((id) => !known?.includes(id))
  const [documentId] = known?.length === 1 ? known : []
  const result = {
    success: unknown.length === 0,
    ...(documentId !== undefined && { documentId }),
    ...(known && { documentIds: known }),
    message: unknown.length === 0 ? SET : `There is no document ${unknown.join(', ')} in the organization.`,
  }
  return resultsOf(userIds, (userId) => ({ ...result, userId }))
})

/** The documents that exist, protected from deletion until the commit. */
async function holdDocuments(db: Db, tenant: ApiKeyTenant, organizationKey: string, documentIds: string[]) {
  const rows = await db.query<{ id: string }>(sql`
    select id
    from document
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey}
      and key = any(${documentIds.map(keyOf)}::uuid[])
    order by key
    for key share`)
  const found = new Set(rows.map(({ id }) => id))
  return [...new Set(documentIds)].filter((id) => found.has(id))
}

interface Wish {
  organizationKey: string
  userIds: string[]
  /** Null stands for the organization as a whole. */
  documentIds: (string | null)[]
  config: Static<typeof Change>
}

async function writePreferences(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationKey, userIds, documentIds, config: { inbox, email, slack } }: Wish,
): Promise<void> {
  const documentKeys = documentIds.map(optionalKey)
  await db.query(sql`
    insert into notification_preference (api_key, organization_key, inbox, email, slack, user_key, document_key)
    select ${tenant.apiKey}, ${organizationKey}, ${inbox ?? null}, ${email ?? null}, ${slack ?? null}, u.key, d.key
    from unnest(${userIds.map(keyOf)}::uuid[]) as u (key), unnest(${documentKeys}::uuid[]) as d (key)
    order by u.key, d.key
    on conflict (api_key, organization_key, user_key, scope) do update
    set inbox = coalesce(excluded.inbox, notification_preference.inbox),
      email = coalesce(excluded.email, notification_preference.email),
      slack = coalesce(excluded.slack, notification_preference.slack)`)
}
