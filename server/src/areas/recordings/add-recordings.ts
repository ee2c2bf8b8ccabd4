import { lastById, resultsOf } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, json, sql, together } from '../../platform/db/db.ts'
import { inTurn } from '../../platform/db/list-lock.ts'
import { keyOf, randomId } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { oversizedItems } from '../../platform/record-size.ts'
import { itemResult, mapOf, Type } from '../../platform/schema.ts'
import { lookUpPeople } from '../comments/comment/person.ts'
import { ensurePlace, type Place, placeOrCreateInput } from '../comments/thread/place.ts'
import { locationKey } from '../locations/location.ts'
import { applyChange, type Recording, RecordingInput, type RecordingRecord, toRecording } from './recording.ts'
import { emitRecorderDone, recordingsChanged } from './recording-event.ts'

/** Adds recordings to a document. A recording whose id exists in the organization stays as it is. */
export const addRecordings = operation({
  path: '/v2/recordings/add',
  auth: 'apiKey',
  access: 'write',
  summary: 'Add recordings',
  input: Type.Object({
    ...placeOrCreateInput,
    recordings: Type.Array(RecordingInput),
    triggerNotification: Type.Optional(Type.Boolean({ description: 'False: no webhook is called. Default: true.' })),
    triggerActivities: Type.Optional(
      Type.Boolean({
        description: 'True: an activity is recorded, whatever the triggers of the activity config say; false: none.',
      }),
    ),
  }),
  example: {
    organizationId: 'example',
    documentId: 'landing-page',
    createDocument: true,
    recordings: [
      {
        annotationId: 'walk-through',
        recordingType: 'screen',
        mode: 'floating',
        recordedTime: { duration: 42000, display: '00:00:42' },
        attachments: [
          { name: 'walk-through.webm', url: 'https://cdn.example.com/walk-through.webm', mimeType: 'video/webm' },
        ],
        from: { userId: 'nadia', name: 'Nadia Quist' },
      },
    ],
  },
  output: mapOf(itemResult({ id: Type.String() }), 'One result per annotation id.'),
  errors: ['NOT_FOUND'],
  message: 'Recorder annotations added successfully.',
  check: ({ recordings }) => oversizedItems('recordings', recordings),
}).run(async ({ db, tenant, input, emit }) => {
  const { triggerActivities, triggerNotification = true } = input
  const sent = input.recordings.map((each) => ({ ...each, annotationId: each.annotationId ?? randomId('rec_') }))
  const distinct = lastById(sent, ({ annotationId }) => annotationId)
  const named = sent.flatMap(({ from }) => from?.userId ?? [])
  const [place, people] = await together([
    ensurePlace(db, tenant, input),
    lookUpPeople(db, tenant, named),
    emit.ahead(recordingsChanged),
  ])
  const records = [...distinct].map(([id, recording]) => ({ id, record: applyChange(undefined, recording, people) }))
  const added = await insert(db, tenant, place, records)
  const { organizationKey, organizationId, documentId } = place
  const change = { action: 'recording.add' as const, organizationKey, organizationId, documentId, triggerActivities }
  await emit(
    recordingsChanged,
    added.map((recording) => ({ ...change, recording })),
  )
  if (triggerNotification) await emitRecorderDone(emit, tenant.apiKey, place, added)
  const ids = new Set(added.map(({ annotationId }) => annotationId))
  return resultsOf(distinct.keys(), (id) =>
    ids.has(id)
      ? { success: true, id, message: 'Added Successfully' }
      : { success: false, id, message: 'Recording already exists' },
  )
})

/** Inserts recordings of distinct ids. Returns those whose ids were free. */
async function insert(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationKey, organizationId, documentKey, documentId }: Place,
  records: { id: string; record: RecordingRecord }[],
): Promise<Recording[]> {
  const list = `recording ${tenant.apiKey} ${organizationKey}`
  // Positions follow the order of the request; rows are locked in the order of keys.
  const inserted = await inTurn(db, list).query<{ id: string; at: number }>(sql`
    insert into recording (
      api_key, organization_key, document_key, key, id, location_key, user_key, record, seq, created_at, updated_at)
    overriding system value
    select ${tenant.apiKey}, ${organizationKey}, ${documentKey}, i.key, i.id, i.location_key, i.user_key, i.record, i.seq,
      i.at, i.at
    from (
      select u.*, nextval('recording_seq_seq') as seq, now_ms() as at
      from unnest(
        ${records.map(({ id }) => keyOf(id))}::uuid[],
        ${records.map(({ id }) => id)}::text[],
        ${records.map(({ record }) => locationKey(record.location))}::uuid[],
        ${records.map(({ record }) => (record.from ? keyOf(record.from.userId) : null))}::uuid[],
        ${records.map(({ record }) => json(record))}::jsonb[]
      ) with ordinality as u (key, id, location_key, user_key, record, position)
      order by u.position
    ) i
    order by i.key
    on conflict (api_key, organization_key, key) do nothing
    returning id, created_at as at`)
  const times = new Map(inserted.map(({ id, at }) => [id, at]))
  return records.flatMap(({ id, record }) => {
    const at = times.get(id)
    if (at === undefined) return []
    return [toRecording(tenant, { id, organizationId, documentId, record, createdAt: at, updatedAt: at })]
  })
}
