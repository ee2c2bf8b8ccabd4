import { type Emit, internalEvent, type PublicPayload, publicEvent } from '../../platform/event.ts'
import { hexId } from '../../platform/id.ts'
import { byteBudget } from '../comments/change/abridge.ts'
import { abridgePlace, advancedMetadata, basicMetadata } from '../comments/change/place-metadata.ts'
import type { Place } from '../comments/thread/place.ts'
import type { Recording } from './recording.ts'

/** One change of a recording. */
export interface RecordingChanged {
  /** The action, named as in activities (`actionType`). */
  action: 'recording.add' | 'recording.delete'
  organizationKey: string
  organizationId: string
  documentId: string
  recording: Recording
  /** False: no activity record. */
  triggerActivities: boolean | undefined
  /** How many recordings the call changes, where these are one batch of them. */
  ofTotal?: number
}

/**
 * Recordings were added or deleted. It is not emitted when a document, folder or organization is deleted with its
 * recordings.
 */
export const recordingsChanged = internalEvent<RecordingChanged>('recordingsChanged')

/** A recording was added, with or without a transcription. */
const recorderDone = publicEvent<PublicPayload>('recorder.done')

/** Emits `recorder.done` to customers for new recordings. */
export function emitRecorderDone(emit: Emit, apiKey: string, place: Place, recordings: Recording[]): Promise<void> {
  const shown = abridgePlace(place, byteBudget(recordings.length))
  return emit(
    recorderDone,
    recordings.map((recording) => payloadOf(recording, shown, apiKey)),
  )
}

function payloadOf(recording: Recording, place: Place, apiKey: string): PublicPayload {
  const { organizationId, documentId } = place
  const { annotationId, from, transcription } = recording
  const assets = recording.attachments.map((attachment) => assetOf(attachment, recording.latestVersion))
  const what = {
    ...(from && { actionUser: from }),
    recorderId: annotationId,
    from: from ?? null,
    assets,
    assetsAllVersions: assets,
    ...(transcription && { transcription }),
  }
  return {
    organizationId,
    documentId,
    advanced: {
      actionType: 'done',
      source: 'recorder',
      platform: 'sdk',
      data: { ...what, metadata: advancedMetadata(place, recording, apiKey) },
    },
    basic: {
      actionType: 'done',
      notificationSource: 'recorder',
      platform: 'sdk',
      ...what,
      metadata: basicMetadata(place, recording, apiKey),
    },
    processed: processedPayload(recording, place, apiKey),
  }
}

const assetOf = ({ url, mimeType, name, size }: Recording['attachments'][number], version: number) => ({
  version,
  url,
  mimeType,
  fileName: name,
  fileSizeInBytes: size,
  fileFormat: /\.(mp3|mp4|webm)$/i.exec(name ?? '')?.[1]?.toLowerCase() ?? mimeType?.split('/')[1],
})

const processedPayload = ({ annotationId, from, createdAt }: Recording, { documentId }: Place, apiKey: string) => ({
  ...(from && { from, actionUser: from }),
  actionType: 'done',
  notificationSource: 'recorder',
  documentId: hexId('document', apiKey, documentId),
  clientDocumentId: documentId,
  id: annotationId,
  timestamp: createdAt,
})
