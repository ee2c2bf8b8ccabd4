import { lastById, resultsOf } from '../../platform/bulk.ts'
import { json, sql, together } from '../../platform/db/db.ts'
import { besides } from '../../platform/db/narrowing.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { OUTGROWN, outgrows, oversizedItems } from '../../platform/record-size.ts'
import { itemResult, mapOf, Type } from '../../platform/schema.ts'
import { lookUpPeople } from '../comments/comment/person.ts'
import { keysOfPlace, placeInput, requirePlace } from '../comments/thread/place.ts'
import { locationKey } from '../locations/location.ts'
import { applyChange, RecordingChange, type RecordingRecord } from './recording.ts'

/** Updates recordings of a document; omitted fields stay. */
export const updateRecordings = operation({
  path: '/v2/recordings/update',
  auth: 'apiKey',
  access: 'write',
  summary: 'Update recordings',
  input: Type.Object({ ...placeInput, recordings: Type.Array(RecordingChange) }),
  example: {
    organizationId: 'example',
    documentId: 'landing-page',
    recordings: [{ annotationId: 'walk-through', displayName: 'The new landing page' }],
  },
  output: mapOf(itemResult({ id: Type.String() }), 'One result per annotation id.'),
  errors: ['NOT_FOUND'],
  message: 'Recorder annotations updated successfully.',
  check: ({ recordings }) => oversizedItems('recordings', recordings),
}).run(async ({ db, tenant, input }) => {
  const { organizationKey, documentKey } = keysOfPlace(tenant, input)
  const changes = lastById(input.recordings, ({ annotationId }) => annotationId)
  const named = input.recordings.flatMap(({ from }) => from?.userId ?? [])
  const [, stored, people] = await together([
    requirePlace(db, tenant, input),
    db.query<{ key: string; id: string; record: RecordingRecord }>(sql`
      select key, id, record
      from recording
      where api_key = ${tenant.apiKey} and organization_key = ${organizationKey}
        and key = any(${[...changes.keys()].map(keyOf)}::uuid[]) and ${besides(sql`document_key = ${documentKey}`)}
      order by key
      for update`),
    lookUpPeople(db, tenant, named),
  ])
  const changedRows = stored.flatMap(({ key, id, record }) => {
    const change = changes.get(id)
    return change ? [{ key, id, before: record, record: applyChange(record, change, people) }] : []
  })
  const rows = changedRows.filter(({ before, record }) => !outgrows(before, record))
  db.send(sql`
    update recording r
    set location_key = i.location_key, user_key = i.user_key, record = i.record, updated_at = now_ms()
    from unnest(
      ${rows.map(({ key }) => key)}::uuid[],
      ${rows.map(({ record }) => locationKey(record.location))}::uuid[],
      ${rows.map(({ record }) => (record.from ? keyOf(record.from.userId) : null))}::uuid[],
      ${rows.map(({ record }) => json(record))}::jsonb[]
    ) as i (key, location_key, user_key, record)
    where r.api_key = ${tenant.apiKey} and r.organization_key = ${organizationKey} and r.key = i.key`)
  const found = new Set(stored.map(({ id }) => id))
  const updated = new Set(rows.map(({ id }) => id))
  return resultsOf(changes.keys(), (id) => {
    if (updated.has(id)) return { success: true, id, message: 'Updated Successfully' }
    return { success: false, id, message: found.has(id) ? OUTGROWN : 'Recording not found' }
  })
})
