import type { Recording } from '../../../../client/src/index.ts'
import { useReadPages } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { type Column, PagedTable } from '../../ui/data-table.tsx'
import { FilterForm, useFilters } from '../../ui/filters.tsx'
import { OfOrganization } from '../../ui/organization.tsx'
import { Heading } from '../../ui/show.tsx'
import { Empty } from '../../ui/states.tsx'
import { timeText } from '../../ui/text.ts'
import { type NameOf, useDocumentNames } from '../names.ts'
import { DocumentField } from '../place-fields.tsx'
import { whoIs } from '../threads/thread.ts'
import { RecordingDialog, titleOf } from './recording-dialog.tsx'

const PAGE_SIZE = 50

/** The recordings of an organization, in the order in which they were added. */
export function Page() {
  return (
    <>
      <Heading title={t.recordings.title} about={t.recordings.about} />
      <OfOrganization>
        {(organizationId, field, held) => (
          <>
            <FilterForm>
              {field}
              <DocumentField held={held} />
            </FilterForm>
            <Recordings key={organizationId} organizationId={organizationId} />
          </>
        )}
      </OfOrganization>
    </>
  )
}

function Recordings({ organizationId }: { organizationId: string }) {
  const [{ documentId, recording }, change] = useFilters()
  const asked = { organizationId, ...(documentId && { documentId }) }
  const query = useReadPages(['recordings', asked], async (api, token, options) => {
    const { data, pageToken } = await api.recordings.getRecordings({ ...asked, pageSize: PAGE_SIZE, ...token }, options)
    return { rows: data, next: pageToken }
  })
  const nameOf = useDocumentNames(
    organizationId,
    query.rows.map(({ metadata }) => metadata.documentId),
  )
  const close = () => change({ recording: undefined })
  return (
    <PagedTable
      query={query}
      empty={<Empty what={t.recordings.none} next={t.recordings.noneNext} />}
      label={t.recordings.list}
      columns={columnsOf(nameOf)}
      idOf={({ annotationId }) => annotationId}
      open={({ annotationId }) => change({ recording: annotationId })}
    >
      {recording && (
        <RecordingDialog key={recording} id={recording} organizationId={organizationId} nameOf={nameOf} close={close} />
      )}
    </PagedTable>
  )
}

const columnsOf = (nameOf: NameOf): Column<Recording>[] => [
  { header: t.name, cell: titleOf },
  { header: t.recordings.kind, cell: ({ recordingType }) => t.recordings.kinds[recordingType] },
  { header: t.recordings.length, cell: ({ recordedTime }) => recordedTime.display },
  { header: t.document, cell: ({ metadata }) => nameOf(metadata.documentId) },
  { header: t.recordings.by, cell: ({ from }) => (from ? whoIs(from) : t.none) },
  { header: t.time, cell: ({ createdAt }) => timeText(createdAt) },
]
