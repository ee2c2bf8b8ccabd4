import { Link } from '@tanstack/react-router'
import { type ListedWorkspace, readWorkspaces } from '../door/operators.ts'
import { useReadPages, useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { type Column, PagedTable } from '../ui/data-table.tsx'
import { FilterForm, TextField, useFilters } from '../ui/filters.tsx'
import { Heading, Panel } from '../ui/show.tsx'
import { Empty } from '../ui/states.tsx'
import { Tabs, useView } from '../ui/tabs.tsx'
import { timeText } from '../ui/text.ts'
import { Audit } from './operator/audit.tsx'
import { CreateWorkspace } from './operator/create-workspace.tsx'
import { InstallationPanels } from './operator/installation.tsx'
import { Operators } from './operator/people.tsx'

/** The installation: its workspaces, who may sign in, and what they have changed. A role sees what it may read. */
export function Page() {
  const { rights } = useTenant().session
  const tabs = TABS.filter(({ needs }) => rights.includes(needs)).map(({ view, name }): [string, string] => [
    view,
    name,
  ])
  const view = useView(tabs)
  return (
    <>
      <Heading title={t.operator.title} about={t.operator.about} />
      <Tabs label={t.operator.title} tabs={tabs} />
      {view === 'installation' && <InstallationPanels />}
      {view === 'workspaces' && <Workspaces />}
      {view === 'people' && <Operators />}
      {view === 'audit' && <Audit mayVerify={rights.includes('operate')} />}
    </>
  )
}

const TABS = [
  { view: 'installation', name: t.installation.title, needs: 'operate' },
  { view: 'workspaces', name: t.operator.workspaces, needs: 'look' },
  { view: 'people', name: t.operator.people, needs: 'operate' },
  { view: 'audit', name: t.audit.title, needs: 'administer' },
] as const

function Workspaces() {
  const [{ search = '' }] = useFilters()
  const query = useReadPages(['workspaces', search], (_api, pageToken, { signal }) =>
    readWorkspaces({ ...(search && { search }), ...pageToken }, signal),
  )
  return (
    <Panel title={t.operator.workspaces} actions={<CreateWorkspace />}>
      <FilterForm submit={t.operator.find}>
        <TextField label={t.operator.search} name="search" value={search} />
      </FilterForm>
      <PagedTable
        query={query}
        empty={<Empty what={t.operator.noWorkspace} next={t.operator.noWorkspaceNext} />}
        label={t.operator.workspaces}
        columns={COLUMNS}
        idOf={({ id }) => id}
      />
    </Panel>
  )
}

const COLUMNS: Column<ListedWorkspace>[] = [
  { header: t.operator.name, cell: ({ name }) => name || t.none },
  { header: t.operator.workspaceId, cell: ({ id }) => id },
  { header: t.operator.owner, cell: ({ ownerEmail }) => ownerEmail },
  { header: t.created, cell: ({ createdAt }) => timeText(createdAt) },
  { header: t.operator.keys, cell: ({ apiKeys }) => <Keys keys={apiKeys} /> },
]

/** The API keys of a workspace; each leads to its pages. */
const Keys = ({ keys }: { keys: ListedWorkspace['apiKeys'] }) => (
  <ul className="plain">
    {keys.map(({ id, apiKeyName, disabled }) => (
      <li key={id}>
        <Link to="/" search={{ key: id }}>
          {apiKeyName || id}
        </Link>{' '}
        {disabled && t.disabledKey}
      </li>
    ))}
  </ul>
)
