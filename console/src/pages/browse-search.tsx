import type { Api } from '../../../client/src/index.ts'
import { useReadPages } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { type Column, PagedTable } from '../ui/data-table.tsx'
import { useFilters } from '../ui/filters.tsx'
import { Panel } from '../ui/show.tsx'
import { Empty } from '../ui/states.tsx'
import { ORGANIZATIONS, To } from './browse-links.tsx'
import { type NameOf, useOrganizationNames } from './names.ts'

type FoundPerson = Awaited<ReturnType<Api['users']['searchUsers']>>['data'][number]

const PAGE_SIZE = 50

/** The organizations and people whose name, id or address holds a text. */
export const Found = ({ search }: { search: string }) => (
  <>
    <FoundOrganizations search={search} />
    <FoundPeople search={search} />
  </>
)

function FoundOrganizations({ search }: { search: string }) {
  const [, change] = useFilters()
  const query = useReadPages(['found-organizations', search], async (api, token, options) => {
    const asked = { query: search, match: 'contains', pageSize: PAGE_SIZE, ...token } as const
    const { data, nextPageToken } = await api.organizations.searchOrganizations(asked, options)
    const rows = data.map(({ organizationId: id, organizationName = '', disabled }) => ({
      id,
      organizationName,
      disabled,
    }))
    return { rows, next: nextPageToken }
  })
  return (
    <Panel title={t.browse.organizations}>
      <PagedTable
        query={query}
        empty={<Empty what={t.browse.notFound} next={t.browse.notFoundNext} />}
        label={t.browse.organizations}
        columns={ORGANIZATIONS}
        idOf={({ id }) => id}
        open={({ id }) => change({ organizationId: id, search: undefined }, { resetScroll: true })}
      />
    </Panel>
  )
}

function FoundPeople({ search }: { search: string }) {
  const query = useReadPages(['found-people', search], async (api, token, options) => {
    const asked = { query: search, match: 'contains', pageSize: PAGE_SIZE, ...token } as const
    const { data, nextPageToken } = await api.users.searchUsers(asked, options)
    return { rows: data, next: nextPageToken }
  })
  const nameOf = useOrganizationNames(query.rows.flatMap(({ organizationIds }) => organizationIds))
  const columns = columnsOf(nameOf)
  return (
    <Panel title={t.browse.people}>
      <PagedTable
        query={query}
        empty={<Empty what={t.people.none} next={t.browse.notFoundNext} />}
        label={t.browse.people}
        columns={columns}
        idOf={({ userId }) => userId}
      />
    </Panel>
  )
}

const columnsOf = (nameOf: NameOf): Column<FoundPerson>[] => [
  { header: t.name, cell: ({ name }) => name },
  { header: t.userId, cell: ({ userId }) => userId },
  { header: t.people.email, cell: ({ email }) => email ?? t.none },
  {
    header: t.browse.organizations,
    cell: ({ userId, organizationIds }) => (
      <ul className="plain">
        {organizationIds.map((id) => (
          <li key={id}>
            <To page="/people" search={{ organizationId: id, user: userId }} label={nameOf(id)} />
          </li>
        ))}
      </ul>
    ),
  },
]
