import type { Document, Folder } from '../../../client/src/index.ts'
import { useReadPages } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { type Column, DataTable, More, PagedTable } from '../ui/data-table.tsx'
import { FilterForm, type Filters, TextField, useFilters } from '../ui/filters.tsx'
import { NoOrganization } from '../ui/organization.tsx'
import { Heading, Panel } from '../ui/show.tsx'
import { Empty, Loaded } from '../ui/states.tsx'
import { ORGANIZATIONS, stateOf, To } from './browse-links.tsx'
import { Found } from './browse-search.tsx'
import { usePlaceNames } from './names.ts'
import { AddDocument, DocumentDialog } from './places/document-dialog.tsx'
import { AddFolder, FolderActions, useFolder } from './places/folder-actions.tsx'
import { TOP } from './places/move.tsx'
import { AddOrganization, OrganizationActions } from './places/organization-actions.tsx'

const PAGE_SIZE = 50

/** Organization, folder, document: each opens the next; the address says where one is. Above all, a search by name. */
export function Page() {
  const [{ organizationId, search = '' }] = useFilters()
  return (
    <>
      <Heading title={t.browse.title} about={t.browse.about} actions={!organizationId && <AddOrganization />} />
      <FilterForm submit={t.browse.find}>
        <TextField
          label={organizationId ? t.browse.searchInside : t.browse.search}
          name="search"
          value={search}
          placeholder={t.browse.searchHint}
        />
      </FilterForm>
      {organizationId && <Inside key={organizationId} organizationId={organizationId} />}
      {!organizationId && (search ? <Found search={search} /> : <Organizations />)}
    </>
  )
}

function Organizations() {
  const [, change] = useFilters()
  const query = useReadPages(['browse'], async (api, token, options) => {
    const { data, nextPageToken } = await api.organizations.getOrganizations({ pageSize: PAGE_SIZE, ...token }, options)
    return { rows: data, next: nextPageToken }
  })
  return (
    <Loaded query={query}>
      {() =>
        query.rows.length === 0 ? (
          <NoOrganization />
        ) : (
          <Panel title={t.browse.organizations}>
            <DataTable
              label={t.browse.organizations}
              columns={ORGANIZATIONS}
              rows={query.rows}
              idOf={({ id }) => id}
              open={({ id }) => change({ organizationId: id }, { resetScroll: true })}
            />
            <More query={query} />
          </Panel>
        )
      }
    </Loaded>
  )
}

function Inside({ organizationId }: { organizationId: string }) {
  const [{ folderId, search }] = useFilters()
  const place = { organizationId, ...(search ? { searchKey: search } : folderId && { folderId }) }
  const links = { organizationId }
  return (
    <>
      <Path organizationId={organizationId} folderId={folderId} />
      <div className="verdict">
        <To page="/threads" search={links} label={t.browse.threads} />
        <To page="/people" search={links} label={t.browse.people} />
        <To page="/activity" search={links} label={t.activity.title} />
        <To page="/recordings" search={links} label={t.recordings.title} />
        {folderId ? (
          <FolderActions organizationId={organizationId} folderId={folderId} />
        ) : (
          <OrganizationActions organizationId={organizationId} />
        )}
      </div>
      <Folders place={place} />
      <Documents place={place} />
    </>
  )
}

/** The way down to where one is; each step but the last leads back. */
function Path({ organizationId, folderId }: { organizationId: string; folderId: string | undefined }) {
  const [, change] = useFilters()
  const folder = useFolder({ organizationId, folderId })
  // The first of those above is the organization itself.
  const above = folderId ? [...(folder.data?.ancestors.slice(1) ?? []), folderId] : []
  const nameOf = usePlaceNames(organizationId, [
    { type: 'organization', id: organizationId },
    ...above.map((id) => ({ type: 'folder' as const, id })),
  ])
  const steps: [name: string, to: Filters][] = [
    [t.browse.all, { organizationId: undefined, folderId: undefined }],
    [nameOf({ type: 'organization', id: organizationId }), { folderId: undefined }],
    ...above.map((id): [string, Filters] => [nameOf({ type: 'folder', id }), { folderId: id }]),
  ]
  return (
    <ol className="path" aria-label={t.browse.way}>
      {steps.map(([name, to], index) => (
        <li key={JSON.stringify(to)}>
          {index === steps.length - 1 ? (
            <strong aria-current="page">{name}</strong>
          ) : (
            <button type="button" className="link" onClick={() => change({ search: undefined, ...to })}>
              {name}
            </button>
          )}
        </li>
      ))}
    </ol>
  )
}

/** What is in one folder, or what a search finds in the whole organization. */
interface Shown {
  organizationId: string
  folderId?: string
  searchKey?: string
}

function Folders({ place }: { place: Shown }) {
  const [, change] = useFilters()
  const { folderId, searchKey } = place
  const query = useReadPages(['folders', place], async (api, token, options) => {
    const { data, pageToken } = await api.folders.getFolders(
      { ...place, maxDepth: 1, rootFoldersOnly: !folderId && !searchKey, pageSize: PAGE_SIZE, ...token },
      options,
    )
    return { rows: folderId ? data.flatMap(({ subFolders = [] }) => subFolders as Folder[]) : data, next: pageToken }
  })
  return (
    <Panel title={t.browse.folders} actions={<AddFolder {...place} />}>
      <PagedTable
        query={query}
        empty={<Empty what={t.browse.noFolder} next={t.browse.nothingNext} />}
        label={t.browse.folders}
        columns={FOLDERS}
        idOf={({ folderId }) => folderId}
        open={(row) => change({ folderId: row.folderId, search: undefined }, { resetScroll: true })}
      />
    </Panel>
  )
}

const FOLDERS: Column<Folder>[] = [
  { header: t.name, cell: ({ folderId, folderName }) => folderName || folderId },
  { header: t.browse.access, cell: ({ accessType }) => accessType },
]

function Documents({ place }: { place: Shown }) {
  const [{ document }, change] = useFilters()
  // Without a folder the service answers with the documents of all folders.
  const asked = place.searchKey ? place : { folderId: TOP, ...place }
  const query = useReadPages(['documents', asked], async (api, token, options) => {
    const { data, pageToken } = await api.documents.getDocuments({ ...asked, pageSize: PAGE_SIZE, ...token }, options)
    return { rows: data, next: pageToken }
  })
  const columns: Column<Document>[] = [
    { header: t.name, cell: ({ id, documentName }) => documentName || id },
    { header: t.documentId, cell: ({ id }) => id },
    { header: t.browse.access, cell: ({ accessType }) => accessType },
    { header: t.status, cell: stateOf },
    {
      header: t.browse.threads,
      cell: ({ id }) => (
        <To
          page="/threads"
          search={{ organizationId: place.organizationId, documentId: id }}
          label={t.browse.threads}
        />
      ),
    },
  ]
  return (
    <Panel title={t.browse.documents} actions={<AddDocument {...place} />}>
      <PagedTable
        query={query}
        empty={<Empty what={t.browse.noDocument} next={t.browse.nothingNext} />}
        label={t.browse.documents}
        columns={columns}
        idOf={({ id }) => id}
        open={({ id }) => change({ document: id })}
      >
        {document && (
          <DocumentDialog
            key={document}
            id={document}
            organizationId={place.organizationId}
            close={() => change({ document: undefined })}
          />
        )}
      </PagedTable>
    </Panel>
  )
}
