import type { ReactNode } from 'react'
import type { Thread } from '../../../client/src/index.ts'
import { useReadPages } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { type Column, DataTable, More } from '../ui/data-table.tsx'
import { FilterForm, SelectField, useFilters } from '../ui/filters.tsx'
import { grouped } from '../ui/grouped.ts'
import { type Held, OfOrganization } from '../ui/organization.tsx'
import { Heading, Panel } from '../ui/show.tsx'
import { Empty, Loaded } from '../ui/states.tsx'
import { numberText, timeText } from '../ui/text.ts'
import { useDocumentNames } from './names.ts'
import { DocumentField } from './place-fields.tsx'
import { StartThread } from './threads/start-thread.tsx'
import { documentOf, titleOf, whoIs } from './threads/thread.ts'
import { StatusBadge, ThreadDialog } from './threads/thread-details.tsx'

const PAGE_SIZE = 50
const UNRESOLVED = 'unresolved'
const ALL = 'all'

/** The threads of an organization by document: what is unresolved first of all. */
export function Page() {
  return (
    <>
      <Heading title={t.threads.title} about={t.threads.about} />
      <OfOrganization>
        {(organizationId, field, held) => (
          <>
            <ThreadFilters organization={field} held={held} />
            <div className="actions">
              <StartThread organizationId={organizationId} />
            </div>
            <Threads key={organizationId} organizationId={organizationId} />
          </>
        )}
      </OfOrganization>
    </>
  )
}

function ThreadFilters({ organization, held }: { organization: ReactNode; held: Held }) {
  const [{ status = UNRESOLVED }] = useFilters()
  const { all, ...statuses } = t.threads.statuses
  const options: [string, string][] = [[UNRESOLVED, t.threads.unresolved], ...Object.entries(statuses), [ALL, all]]
  return (
    <FilterForm>
      {organization}
      <DocumentField held={held} />
      <SelectField label={t.status} name="status" value={status} options={options} />
    </FilterForm>
  )
}

/** The filter that a choice of the status stands for. */
function statusFilterOf(status: string): { statusTypes?: ('default' | 'ongoing')[]; statusIds?: string[] } {
  if (status === ALL) return {}
  return status === UNRESOLVED ? { statusTypes: ['default', 'ongoing'] } : { statusIds: [status] }
}

function Threads({ organizationId }: { organizationId: string }) {
  const [{ documentId, status = UNRESOLVED, thread }, change] = useFilters()
  const asked = { organizationId, ...(documentId && { documentId }), ...statusFilterOf(status) }
  const query = useReadPages(['threads', asked], async (api, token, options) => {
    const { data, nextPageToken } = await api.comments.getCommentAnnotations(
      { ...asked, order: 'desc', pageSize: PAGE_SIZE, ...token },
      options,
    )
    return { rows: data.filter((each) => each !== null), next: nextPageToken }
  })
  const nameOf = useDocumentNames(organizationId, query.rows.map(documentOf))
  return (
    <Loaded query={query}>
      {() => (
        <>
          {query.rows.length === 0 && <Empty what={t.threads.none} next={t.threads.noneNext} />}
          <div className="alike">
            {grouped(query.rows, documentOf).map(([document, rows]) => (
              <Panel key={document} title={t.threads.inDocument(nameOf(document), rows.length, query.hasNextPage)}>
                <DataTable
                  label={`${t.threads.list}: ${nameOf(document)}`}
                  columns={COLUMNS}
                  rows={rows}
                  idOf={({ annotationId }) => annotationId}
                  open={({ annotationId }) => change({ thread: annotationId })}
                />
              </Panel>
            ))}
          </div>
          <More query={query} />
          {thread && (
            <ThreadDialog id={thread} organizationId={organizationId} close={() => change({ thread: undefined })} />
          )}
        </>
      )}
    </Loaded>
  )
}

const COLUMNS: Column<Thread>[] = [
  { header: t.threads.thread, cell: (thread) => titleOf(thread) },
  { header: t.status, cell: ({ status }) => <StatusBadge status={status} /> },
  { header: t.threads.priority, cell: ({ priority }) => priority?.name ?? t.none },
  { header: t.threads.assigned, cell: ({ assignedTo }) => (assignedTo ? whoIs(assignedTo) : t.none) },
  { header: t.threads.author, cell: ({ from }) => whoIs(from) },
  { header: t.threads.comments, isNumber: true, cell: ({ commentsCount }) => numberText(commentsCount) },
  { header: t.threads.updated, cell: ({ lastUpdated }) => timeText(lastUpdated) },
]
