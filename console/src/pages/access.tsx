import type { Api } from '../../../client/src/index.ts'
import { useRead } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { FilterForm, SelectField, TextField, useFilters } from '../ui/filters.tsx'
import { OfOrganization } from '../ui/organization.tsx'
import { Badge, Code, Heading, Panel } from '../ui/show.tsx'
import { Empty, Loaded } from '../ui/states.tsx'
import { timeText } from '../ui/text.ts'

type Checked = Awaited<ReturnType<Api['permissions']['checkPermissions']>>['data'][number]

const ACTIONS = ['view', 'comment', 'edit'] as const
const KINDS = ['document', 'folder'] as const

/** Why can, why can't somebody open this: the answer of `permissions/check` in words, and the grants behind it. */
export function Page() {
  const [{ userId = '', resource = '', kind = 'document' }] = useFilters()
  return (
    <>
      <Heading title={t.access.title} about={t.access.about} />
      <OfOrganization>
        {(organizationId, field) => (
          <>
            <FilterForm submit={t.access.check}>
              {field}
              <TextField label={t.userId} name="userId" value={userId} required />
              <SelectField
                label={t.access.kind}
                name="kind"
                value={kind}
                options={KINDS.map((each) => [each, t.access[each]])}
              />
              <TextField label={t.access.resource} name="resource" value={resource} required />
            </FilterForm>
            {userId && resource ? (
              <Answer organizationId={organizationId} userId={userId} kind={kind} id={resource} />
            ) : (
              <Empty what={t.access.noQuestion} next={t.access.noQuestionNext} />
            )}
          </>
        )}
      </OfOrganization>
    </>
  )
}

interface Question {
  organizationId: string
  userId: string
  kind: string
  id: string
}

function Answer(question: Question) {
  const { organizationId, userId, kind, id } = question
  const type = kind === 'folder' ? 'folder' : 'document'
  const checked = useRead(['access', question], async (api, options) => {
    const checks = ACTIONS.map((action) => ({ userId, resource: { type, id } as const, action }))
    const { data } = await api.permissions.checkPermissions({ organizationId, checks }, options)
    return data.map((answer, i) => ({ ...answer, action: ACTIONS[i] ?? 'view' }))
  })
  const grants = useRead(['grants', question], async (api, options) => {
    const places = type === 'folder' ? { folderIds: [id] } : { documentIds: [id] }
    const asked = { organizationId, userIds: [userId], ...places, skipResourceExistenceValidation: true }
    const { data } = await api.permissions.getPermissions(asked, options)
    return data
  })
  return (
    <>
      <Panel title={t.access.answer(userId, id)}>
        <Loaded query={checked}>
          {(rows) => (
            <DataTable
              label={t.access.answer(userId, id)}
              columns={COLUMNS}
              rows={rows}
              idOf={({ action }) => action}
            />
          )}
        </Loaded>
      </Panel>
      <Panel title={t.access.grants}>
        <Loaded query={grants}>{(data) => <Code label={t.access.grants} value={data} />}</Loaded>
      </Panel>
    </>
  )
}

const COLUMNS: Column<Checked & { action: (typeof ACTIONS)[number] }>[] = [
  { header: t.access.mayDo, cell: ({ action }) => t.access.actions[action] },
  {
    header: t.status,
    cell: ({ allowed }) => (
      <Badge tone={allowed ? 'good' : 'bad'}>{allowed ? t.access.allowed : t.access.denied}</Badge>
    ),
  },
  { header: t.access.reason, cell: ({ reason }) => t.access.reasons[reason] },
  { header: t.access.role, cell: ({ accessRole }) => accessRole ?? t.none },
  { header: t.access.from, cell: ({ via }) => (via ? `${via.type} ${via.id}` : t.none) },
  { header: t.access.until, cell: ({ via }) => timeText(via?.expiresAt) },
]
