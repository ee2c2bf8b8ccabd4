import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, empty, type Sql, sql } from '../../platform/db/db.ts'
import { type Cut, withinBytes } from '../../platform/page.ts'
import { SIZE_LIMIT } from '../../platform/record-size.ts'
import {
  anyObject,
  clearedByNull,
  identifier,
  mapOf,
  nullable,
  oneOf,
  REFUSES_NULL,
  type Static,
  Type,
  text,
} from '../../platform/schema.ts'
import { Attachment, StoredAttachment, withAttachmentIds } from '../comments/comment/attachment.ts'
import { type People, Person } from '../comments/comment/person.ts'
import { Location, locationId, locationKey } from '../locations/location.ts'
import { Context } from '../permissions/access/access-fields.ts'
import { User } from '../users/user.ts'

const MAX_DURATION = 8_640_000_000_000_000

const RecordedTime = Type.Object({
  duration: Type.Number({ minimum: 0, maximum: MAX_DURATION, description: 'Length in milliseconds.' }),
  display: Type.Optional(
    Type.String({
      pattern: '^\\d{2,}:[0-5]\\d:[0-5]\\d$',
      description: 'The length as shown: `HH:MM:SS`. Default: that of the duration.',
    }),
  ),
})

const RECORDING_TYPES = oneOf(['audio', 'video', 'screen'], 'What was recorded.')
const MODES = oneOf(['floating', 'thread'], 'How the recording is shown.')
const LatestVersion = Type.Integer({
  minimum: 0,
  maximum: 2 ** 31 - 1,
  description: 'Number of the newest version. Default: 1.',
})

const MAX_WAVEFORM = 20_000

const optionalFields = {
  displayName: Type.Optional(text('Name of the recording.')),
  latestVersion: Type.Optional(LatestVersion),
  from: Type.Optional(Person),
  location: Type.Optional(Location),
  transcription: Type.Optional(anyObject('What was said, and addresses of its subtitles.')),
  commentAnnotationId: Type.Optional(identifier('The thread that it belongs to.')),
  waveformData: Type.Optional(
    Type.Array(Type.Number(), { maxItems: MAX_WAVEFORM, description: 'Its loudness over time.' }),
  ),
  recordingEditVersions: Type.Optional(anyObject('Edited versions, by their number.')),
  chunkUrls: Type.Optional(mapOf(Type.String(), 'Addresses of its parts, by their number.')),
  context: Type.Optional(Context),
  pageInfo: Type.Optional(anyObject('The page that it was made on.')),
}

/** The fields that are kept as sent; null clears them in a change. */
const KEPT = [
  'transcription',
  'commentAnnotationId',
  'waveformData',
  'recordingEditVersions',
  'chunkUrls',
  'context',
  'pageInfo',
] as const

/** A recording as sent to add it. */
export const RecordingInput = Type.Object(
  {
    annotationId: Type.Optional(identifier('Id of the recording. Default: a new one.')),
    recordingType: RECORDING_TYPES,
    mode: MODES,
    recordedTime: RecordedTime,
    attachments: Type.Array(Attachment, { description: 'The recorded files.' }),
    ...optionalFields,
  },
  { description: `A recording; ${SIZE_LIMIT}.` },
)

/** A change of a recording; omitted fields stay. */
export const RecordingChange = Type.Object(
  {
    annotationId: identifier('Id of the recording.'),
    recordingType: Type.Optional(RECORDING_TYPES),
    mode: Type.Optional(MODES),
    recordedTime: Type.Optional(RecordedTime),
    attachments: Type.Optional(Type.Array(Attachment, { description: 'The recorded files, all of them.' })),
    latestVersion: Type.Optional(LatestVersion),
    displayName: clearedByNull(optionalFields.displayName),
    from: clearedByNull(optionalFields.from),
    location: clearedByNull(optionalFields.location),
    transcription: clearedByNull(optionalFields.transcription),
    commentAnnotationId: clearedByNull(optionalFields.commentAnnotationId),
    waveformData: clearedByNull(optionalFields.waveformData),
    recordingEditVersions: clearedByNull(optionalFields.recordingEditVersions),
    chunkUrls: clearedByNull(optionalFields.chunkUrls),
    context: clearedByNull(optionalFields.context),
    pageInfo: clearedByNull(optionalFields.pageInfo),
  },
  { ...REFUSES_NULL, description: `A change; ${SIZE_LIMIT}, as is the recording afterwards. Null clears a field.` },
)
export type RecordingChange = Static<typeof RecordingChange>

const recordFields = {
  recordingType: RECORDING_TYPES,
  mode: MODES,
  displayName: Type.String(),
  attachments: Type.Array(StoredAttachment),
  latestVersion: LatestVersion,
  from: Type.Optional(User),
  location: Type.Optional(Location),
  transcription: Type.Optional(anyObject('What was said.')),
  commentAnnotationId: optionalFields.commentAnnotationId,
  waveformData: optionalFields.waveformData,
  recordingEditVersions: optionalFields.recordingEditVersions,
  chunkUrls: optionalFields.chunkUrls,
  context: optionalFields.context,
  pageInfo: optionalFields.pageInfo,
}
const RecordingRecord = Type.Object({ ...recordFields, recordedTime: RecordedTime })

/** The stored part of a recording, without its id, place and times. */
export type RecordingRecord = Static<typeof RecordingRecord>

/** A recording as returned. */
export const Recording = Type.Object({
  annotationId: Type.String(),
  type: oneOf(['recorder'], 'Always recorder.'),
  ...recordFields,
  recordedTime: Type.Object({ duration: Type.Number(), display: Type.String() }),
  metadata: Type.Object({ apiKey: Type.String(), documentId: Type.String(), organizationId: Type.String() }),
  locationId: nullable(Type.Integer()),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  lastUpdated: Type.Integer({ description: 'Epoch milliseconds.' }),
})
export type Recording = Static<typeof Recording>

/** Applies a change to a record; without a record, it makes a new one. */
export function applyChange(
  before: RecordingRecord | undefined,
  change: Static<typeof RecordingInput> | RecordingChange,
  people: People,
): RecordingRecord {
  const { recordingType, mode, displayName, recordedTime, attachments, latestVersion, from, location } = change
  const place = location === undefined ? before?.location : location
  const maker = from === undefined ? before?.from : from && people.complete(from)
  const kept = KEPT.flatMap((field) => {
    const value = change[field] === undefined ? before?.[field] : change[field]
    return value === undefined || value === null ? [] : [[field, value]]
  })
  return {
    recordingType: recordingType ?? before?.recordingType ?? 'screen',
    mode: mode ?? before?.mode ?? 'floating',
    displayName: (displayName === undefined ? before?.displayName : displayName) ?? '',
    recordedTime: recordedTime ?? before?.recordedTime ?? { duration: 0 },
    attachments: attachments ? withAttachmentIds(attachments) : (before?.attachments ?? []),
    latestVersion: latestVersion ?? before?.latestVersion ?? 1,
    ...(maker && { from: maker }),
    ...(place && { location: place }),
    ...Object.fromEntries(kept),
  }
}

/** A row of `recording as r join document as d join organization as o`, read by `findRecordings`. */
export interface RecordingRow extends Cut {
  seq: number
  key: string
  id: string
  organizationId: string
  documentId: string
  record: RecordingRecord
  createdAt: number
  updatedAt: number
}

interface Selection {
  condition: Sql
  /** Default: all that match. */
  limit?: number
  maxBytes: number
}

/**
 * Reads the recordings that match a condition on `recording r`, `document d` and `organization o`, in the order of
 * adding, cut by bytes.
 */
export function findRecordings(db: Db, tenant: ApiKeyTenant, { condition, limit, maxBytes }: Selection) {
  const recordings = sql`
    select r.size, r.seq, r.key, r.id, o.id as "organizationId", d.id as "documentId", r.record,
      r.created_at as "createdAt", r.updated_at as "updatedAt"
    from recording r
    join organization o on o.api_key = ${tenant.apiKey} and o.key = r.organization_key
    join document d on d.api_key = ${tenant.apiKey} and d.organization_key = r.organization_key
      and d.key = r.document_key
    where r.api_key = ${tenant.apiKey} and ${condition}
    order by r.seq
    ${limit === undefined ? empty : sql`limit ${limit}`}`
  return db.query<RecordingRow>(withinBytes(recordings, sql`seq`, maxBytes))
}

/** Converts a stored recording to the one that operations return. */
export function toRecording(
  { apiKey }: ApiKeyTenant,
  row: Pick<RecordingRow, 'id' | 'organizationId' | 'documentId' | 'record' | 'createdAt' | 'updatedAt'>,
): Recording {
  const { id, organizationId, documentId, record, createdAt, updatedAt } = row
  const { duration, display } = record.recordedTime
  return {
    annotationId: id,
    type: 'recorder',
    ...record,
    recordedTime: { duration, display: display ?? displayOf(duration) },
    metadata: { apiKey, documentId, organizationId },
    locationId: locationId(locationKey(record.location)),
    createdAt,
    lastUpdated: updatedAt,
  }
}

/** Formats a duration in milliseconds as `HH:MM:SS`, rounded down; hours may have more digits. */
function displayOf(duration: number): string {
  const seconds = Math.floor(duration / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}
