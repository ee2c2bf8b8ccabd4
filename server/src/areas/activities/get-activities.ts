import { empty, raw, sql } from '../../platform/db/db.ts'
import { narrowing } from '../../platform/db/narrowing.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { type Cut, pageOf, withinBytes } from '../../platform/page.ts'
import { identifier, oneOf, type Static, Type } from '../../platform/schema.ts'
import { mapInTurns } from '../../platform/turns/yield.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { Activity, ActivityInput, toActivity } from './activity.ts'
import { type Version, versionColumns } from './version.ts'

const PATH = '/v2/activities/get'

const Filters = Type.Object({
  organizationId: identifier('Id of the organization.'),
  documentId: Type.Optional(identifier('Only activities of this document.')),
  targetEntityId: Type.Optional(identifier('Only activities on this entity.')),
  featureTypes: Type.Optional(Type.Array(ActivityInput.properties.featureType, { description: 'Omitted: all.' })),
  actionTypes: Type.Optional(Type.Array(Type.String(), { description: 'Omitted: all.' })),
  userId: Type.Optional(identifier('Only activities of this user.')),
  activityIds: Type.Optional(Type.Array(identifier('Id of an activity.'), { description: 'Omitted: all.' })),
  order: Type.Optional(oneOf(['asc', 'desc'], 'By the time at which they were added. Default: desc.')),
})

/** Returns activities ordered by time, with their messages rendered. Unknown ids are omitted. */
export const getActivities = operation({
  path: PATH,
  auth: 'apiKey',
  access: 'read',
  summary: 'Get activities',
  input: Type.Object({
    ...Filters.properties,
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: 1000.' })),
    pageToken: Type.Optional(Type.String({ description: 'From the page before.' })),
  }),
  example: { organizationId: 'example', documentId: 'home-page', featureTypes: ['comment'], pageSize: 20 },
  output: Type.Array(Activity),
  errors: [],
  message: 'Activity(s) retrieved successfully.',
  page: 'pageToken',
}).run(async ({ db, tenant, input, pageTokens, config }) => {
  const { pageSize = 1000, pageToken, ...filters } = input
  const { organizationId, order = 'desc' } = filters
  const scope = { operation: PATH, tenant: tenant.apiKey, filters: { ...filters, order } }
  const after = pageToken === undefined ? null : Number(pageTokens.open(scope, pageToken))
  const versions = sql`
    select ${versionColumns}, size
    from activity_entry
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKeyOf(tenant, organizationId)} and current
      ${conditions(filters)}
      ${after === null ? empty : sql`and origin ${raw(order === 'asc' ? '>' : '<')} ${after}::bigint`}
    order by origin ${raw(order)}
    limit ${pageSize + 1}`
  const rows = await db.query<Version & Cut>(withinBytes(versions, sql`origin ${raw(order)}`, config.pageLimitBytes))
  const { page, last } = pageOf(rows, pageSize)
  return {
    // A template may be filled with much text.
    data: await mapInTurns(page, (version) => toActivity(tenant, organizationId, version)),
    next: last ? pageTokens.seal(scope, last.origin) : null,
  }
})

function conditions(filters: Static<typeof Filters>) {
  const { documentId, targetEntityId, featureTypes, actionTypes, userId, activityIds } = filters
  const narrowed = narrowing(activityIds)
  return sql`
    ${documentId === undefined ? empty : sql`and ${narrowed(sql`document_key = ${keyOf(documentId)}`)}`}
    ${targetEntityId === undefined ? empty : sql`and ${narrowed(sql`target_key = ${keyOf(targetEntityId)}`)}`}
    ${featureTypes === undefined ? empty : sql`and record ->> 'featureType' = any(${featureTypes}::text[])`}
    ${actionTypes === undefined ? empty : sql`and record ->> 'actionType' = any(${actionTypes}::text[])`}
    ${userId === undefined ? empty : sql`and ${narrowed(sql`user_key = ${keyOf(userId)}`)}`}
    ${activityIds === undefined ? empty : sql`and activity_key = any(${activityIds.map(keyOf)}::uuid[])`}`
}
