import { resultsOf } from '../../platform/bulk.ts'
import { empty, sql, together } from '../../platform/db/db.ts'
import { besides } from '../../platform/db/narrowing.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, Type } from '../../platform/schema.ts'
import { lockPlaces } from '../comments/thread/place.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { findRecordings, toRecording } from './recording.ts'
import { recordingsChanged } from './recording-event.ts'

/** Deletes recordings for good. */
export const deleteRecordings = operation({
  path: '/v2/recordings/delete',
  auth: 'apiKey',
  access: 'write',
  summary: 'Delete recordings',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    documentId: Type.Optional(identifier('Only recordings of this document.')),
    recordingIds: Type.Array(identifier('Annotation id.')),
    triggerActivities: Type.Optional(
      Type.Boolean({
        description: 'True: an activity is recorded, whatever the triggers of the activity config say; false: none.',
      }),
    ),
  }),
  example: { organizationId: 'example', documentId: 'landing-page', recordingIds: ['walk-through'] },
  output: mapOf(itemResult({ id: Type.String() }), 'One result per annotation id.'),
  errors: [],
  message: 'Recorder annotations deleted successfully.',
}).run(async ({ db, tenant, input, emit, config }) => {
  const { organizationId, documentId, triggerActivities } = input
  const organizationKey = organizationKeyOf(tenant, organizationId)
  const ids = new Set(input.recordingIds)
  const meant = sql`
    organization_key = ${organizationKey} and key = any(${[...ids].map(keyOf)}::uuid[])
      ${documentId === undefined ? empty : sql`and ${besides(sql`document_key = ${keyOf(documentId)}`)}`}`
  // Documents are locked before their recordings, as their deletion does.
  const documentKeys = sql`array(select document_key from recording where api_key = ${tenant.apiKey} and ${meant})`
  const [, locked] = await together([
    lockPlaces(db, tenant, organizationId, documentKeys),
    db.query<{ key: string }>(sql`
      select key
      from recording
      where api_key = ${tenant.apiKey} and ${meant}
      order by key
      for update`),
  ])
  const keys = locked.map(({ key }) => key)
  const deleted = new Set<string>()
  // Records are read and announced in batches, limited by bytes.
  for (let rest = keys; rest.length > 0; ) {
    const condition = sql`r.organization_key = ${organizationKey} and r.key = any(${rest}::uuid[])`
    // Without a limit, which would make the planner look for them among all recordings, in their order.
    const rows = await findRecordings(db, tenant, { condition, maxBytes: config.pageLimitBytes })
    const batch = new Set(rows.map(({ key }) => key))
    rest = rows.length === 0 ? [] : rest.filter((key) => !batch.has(key))
    await db.query(sql`
      delete from recording
      where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and key = any(${[...batch]}::uuid[])`)
    await emit(
      recordingsChanged,
      rows.map((row) => ({
        action: 'recording.delete' as const,
        organizationKey,
        organizationId,
        documentId: row.documentId,
        recording: toRecording(tenant, row),
        triggerActivities,
        ofTotal: keys.length,
      })),
    )
    for (const { id } of rows) deleted.add(id)
  }
  return resultsOf(ids, (id) =>
    deleted.has(id)
      ? { success: true, id, message: 'Deleted Successfully' }
      : { success: false, id, message: 'Recording not found' },
  )
})
