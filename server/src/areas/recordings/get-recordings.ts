import { empty, sql } from '../../platform/db/db.ts'
import { narrowing } from '../../platform/db/narrowing.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { pageOf } from '../../platform/page.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { findRecordings, Recording, toRecording } from './recording.ts'

const PATH = '/v2/recordings/get'

/** Returns recordings in the order of adding. Unknown ids are omitted. */
export const getRecordings = operation({
  path: PATH,
  auth: 'apiKey',
  access: 'read',
  summary: 'Get recordings',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    documentId: Type.Optional(identifier('Only recordings of this document.')),
    recordingIds: Type.Optional(Type.Array(identifier('Annotation id.'), { description: 'Omitted: all.' })),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: 1000.' })),
    pageToken: Type.Optional(Type.String({ description: 'From the page before.' })),
  }),
  example: { organizationId: 'example', documentId: 'landing-page' },
  output: Type.Array(Recording),
  errors: [],
  message: 'Recorder annotations retrieved successfully.',
  page: 'pageToken',
}).run(async ({ db, tenant, input, pageTokens, config }) => {
  const { pageSize = 1000, pageToken, ...filters } = input
  const { organizationId, documentId, recordingIds } = filters
  const scope = {
    operation: PATH,
    tenant: tenant.apiKey,
    filters: [organizationId, documentId ?? null, recordingIds ?? null],
  }
  const after = pageToken === undefined ? 0 : Number(pageTokens.open(scope, pageToken))
  const narrowed = narrowing(recordingIds)
  const condition = sql`
    r.organization_key = ${organizationKeyOf(tenant, organizationId)} and r.seq > ${after}::bigint
    ${documentId === undefined ? empty : sql`and ${narrowed(sql`r.document_key = ${keyOf(documentId)}`)}`}
    ${recordingIds === undefined ? empty : sql`and r.key = any(${recordingIds.map(keyOf)}::uuid[])`}`
  const rows = await findRecordings(db, tenant, { condition, limit: pageSize + 1, maxBytes: config.pageLimitBytes })
  const { page, last } = pageOf(rows, pageSize)
  return {
    data: page.map((row) => toRecording(tenant, row)),
    next: last ? pageTokens.seal(scope, last.seq) : null,
  }
})
