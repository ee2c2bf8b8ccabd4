import type { Recording } from '../../../../client/src/index.ts'
import { allDone } from '../../door/all-done.ts'
import { useRead, useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { AsSource, Code, Facts } from '../../ui/show.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { timeText } from '../../ui/text.ts'
import { To, ToThread } from '../browse-links.tsx'
import type { NameOf } from '../names.ts'
import { Attached } from '../threads/attached.tsx'
import { whoIs } from '../threads/thread.ts'

export const titleOf = ({ displayName, annotationId }: Recording) => displayName || annotationId

interface DialogProps {
  id: string
  organizationId: string
  nameOf: NameOf
  close: () => void
}

/** One recording by its id, which an address may hold though the list does not. */
export function RecordingDialog({ id, organizationId, ...more }: DialogProps) {
  const query = useRead(['recording', organizationId, id], async (api, options) => {
    const { data } = await api.recordings.getRecordings({ organizationId, recordingIds: [id] }, options)
    return { recording: data[0] }
  })
  const { recording } = query.data ?? {}
  return (
    <Dialog title={recording ? titleOf(recording) : id} close={more.close}>
      <Loaded query={query}>
        {() =>
          recording ? (
            <Details recording={recording} organizationId={organizationId} {...more} />
          ) : (
            <Empty what={t.recordings.unknown} next={t.recordings.unknownNext} />
          )
        }
      </Loaded>
    </Dialog>
  )
}

interface DetailsProps extends Omit<DialogProps, 'id'> {
  recording: Recording
}

function Details({ recording, organizationId, nameOf, close }: DetailsProps) {
  const { annotationId, attachments, commentAnnotationId, createdAt, from, metadata, recordedTime } = recording
  const { recordingType, transcription } = recording
  const place = { organizationId, document: metadata.documentId }
  const toDocument = <To key="document" page="/browse" search={place} label={nameOf(metadata.documentId)} />
  return (
    <>
      <Facts
        facts={[
          [t.recordings.kind, t.recordings.kinds[recordingType]],
          [t.recordings.length, recordedTime.display],
          [t.document, toDocument],
          [t.recordings.by, from && whoIs(from)],
          [t.time, timeText(createdAt)],
          [t.recordings.files, attachments.length > 0 ? <Attached key="files" files={attachments} /> : undefined],
          [t.recordings.id, annotationId],
        ]}
      />
      {commentAnnotationId && (
        <p>
          <ToThread organizationId={organizationId} thread={commentAnnotationId} />
        </p>
      )}
      {transcription && (
        <AsSource title={t.recordings.transcription}>
          <Code value={transcription} label={t.recordings.transcription} />
        </AsSource>
      )}
      <footer className="actions">
        <Delete recording={recording} organizationId={organizationId} close={close} />
      </footer>
    </>
  )
}

function Delete({ recording, organizationId, close }: Omit<DetailsProps, 'nameOf'>) {
  const { recordings } = useTenant().api
  const name = titleOf(recording)
  const remove = async () => {
    await allDone(recordings.deleteRecordings({ organizationId, recordingIds: [recording.annotationId] }))
    close()
    return t.places.deleted(name)
  }
  return <Action needs="administer" label={t.delete} confirm={t.recordings.deleteConfirm(name)} danger run={remove} />
}
