import { type ReactNode, useState } from 'react'
import type { PermissionDecision } from '../../../client/src/index.ts'
import { useRead, useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Action } from '../ui/action.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { FilterForm, SelectField, useFilters } from '../ui/filters.tsx'
import { type Held, OfOrganization } from '../ui/organization.tsx'
import { PickField } from '../ui/pick-field.tsx'
import { Badge, Code, CopyButton, Heading, Panel } from '../ui/show.tsx'
import { Empty, Loaded } from '../ui/states.tsx'
import { timeText } from '../ui/text.ts'
import { Grants, KIND_OPTIONS } from './access-grants.tsx'
import { AccessTree, type Question } from './access-tree.tsx'
import { peopleToPick, placesToPick } from './choices.ts'
import { usePeopleNames, usePlaceNames } from './names.ts'
import { PermissionProvider } from './settings/permission-provider.tsx'

const ACTIONS = ['view', 'comment', 'edit'] as const

/** Why can, why can't somebody open this: the answer in words, the levels that lead to it, and the person's grants. */
export function Page() {
  const [{ userId = '', resource = '', kind = 'document' }] = useFilters()
  return (
    <>
      <Heading title={t.access.title} about={t.access.about} />
      <OfOrganization>
        {(organizationId, field, held) => (
          <>
            <QuestionForm organization={field} held={held} />
            {userId && resource && (
              <Answer
                question={{ organizationId, userId, kind: kind === 'folder' ? 'folder' : 'document', id: resource }}
              />
            )}
            {userId ? (
              <Grants key={`${organizationId} ${userId}`} organizationId={organizationId} userId={userId} />
            ) : (
              <Empty what={t.access.noQuestion} next={t.access.noQuestionNext} />
            )}
          </>
        )}
      </OfOrganization>
      <PermissionProvider />
    </>
  )
}

/** Who and what is asked about; `held` is the organization that the form holds. */
function QuestionForm({ organization, held }: { organization: ReactNode; held: Held }) {
  const [{ userId, resource, kind = 'document' }] = useFilters()
  const [heldKind, setHeldKind] = useState(kind)
  const places = placesToPick(held.id, heldKind === 'folder' ? 'folder' : 'document')
  return (
    <FilterForm submit={t.access.check}>
      {organization}
      <PickField label={t.person} name="userId" value={userId} required source={peopleToPick(held.id)} />
      <SelectField label={t.access.kind} name="kind" value={kind} options={KIND_OPTIONS} changed={setHeldKind} />
      <PickField label={t.access.resource} name="resource" value={held.ofIt(resource)} source={places} />
    </FilterForm>
  )
}

function Answer({ question }: { question: Question }) {
  const { organizationId, userId, kind: type, id } = question
  const checked = useRead(['access', question], async (api, options) => {
    const checks = ACTIONS.map((action) => ({ userId, resource: { type, id }, action }))
    const { data } = await api.permissions.checkPermissions({ organizationId, checks }, options)
    return data.map((answer, i) => ({ ...answer, action: ACTIONS[i] ?? 'view' }))
  })
  const person = usePeopleNames(organizationId, [userId])(userId)
  const through = (checked.data ?? []).flatMap(({ via }) => via ?? [])
  const nameOf = usePlaceNames(organizationId, [{ type, id }, ...through])
  const columns = columnsOf(nameOf)
  const title = t.access.answer(person, nameOf({ type, id }))
  return (
    <Loaded query={checked}>
      {(rows) => (
        <Panel title={title} actions={<Sign key={JSON.stringify(question)} question={question} answer={rows} />}>
          <DataTable label={title} columns={columns} rows={rows} idOf={({ action }) => action} />
          <h3>{t.access.tree}</h3>
          <AccessTree question={question} />
        </Panel>
      )}
    </Loaded>
  )
}

type Answered = PermissionDecision & { action: (typeof ACTIONS)[number] }

const columnsOf = (nameOf: ReturnType<typeof usePlaceNames>): Column<Answered>[] => [
  { header: t.access.mayDo, cell: ({ action }) => t.access.actions[action] },
  {
    header: t.status,
    cell: ({ allowed }) => (
      <Badge tone={allowed ? 'good' : 'bad'}>{allowed ? t.access.allowed : t.access.denied}</Badge>
    ),
  },
  { header: t.access.reason, cell: ({ reason }) => t.access.reasons[reason] },
  { header: t.access.role, cell: ({ accessRole }) => accessRole ?? t.none },
  { header: t.access.from, cell: ({ via }) => (via ? `${t.access.levels[via.type]} ${nameOf(via)}` : t.none) },
  { header: t.access.until, cell: ({ via }) => timeText(via?.expiresAt) },
]

/** The same answer as a permission provider of yours would give it, with its signature. */
function Sign({ question, answer }: { question: Question; answer: Answered[] }) {
  const { api } = useTenant()
  const [signed, setSigned] = useState<string>()
  const { userId, kind: type, id: resourceId } = question
  const [view] = answer
  const sign = async () => {
    const { allowed: hasAccess = false, accessRole } = view ?? {}
    const role = type === 'document' && accessRole ? { accessRole } : {}
    const permissions = [{ userId, resourceId, type, hasAccess, ...role }]
    const { data } = await api.permissions.generateSignature({ permissions })
    setSigned(JSON.stringify({ data: permissions, signature: data.signature }, null, 2))
    return undefined
  }
  return (
    <>
      <Action needs="administer" reads label={t.access.sign} run={sign} />
      {signed && (
        <section className="whole">
          <p className="muted">{t.access.signHelp}</p>
          <Code label={t.access.sign} value={signed} />
          <CopyButton text={signed} />
        </section>
      )}
    </>
  )
}
