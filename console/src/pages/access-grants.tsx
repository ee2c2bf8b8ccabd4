import { useState } from 'react'
import type { Api } from '../../../client/src/index.ts'
import { useRead, useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Action } from '../ui/action.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { SelectField, TimeField, useFilters } from '../ui/filters.tsx'
import { PickField } from '../ui/pick-field.tsx'
import { Panel } from '../ui/show.tsx'
import { Loaded } from '../ui/states.tsx'
import { timeText } from '../ui/text.ts'
import { placesToPick } from './choices.ts'
import { usePeopleNames, usePlaceNames } from './names.ts'

type Permissions = Awaited<ReturnType<Api['permissions']['getPermissions']>>['data'][string]

const KINDS = ['document', 'folder'] as const
const ROLES = ['viewer', 'editor'] as const

export const KIND_OPTIONS = KINDS.map((kind): [string, string] => [kind, t.access[kind]])

interface Whose {
  organizationId: string
  userId: string
  /** What the person is called. */
  name: string
  /** Whether a grant of theirs gives access fields. Nothing tells which, so what takes one cannot be taken back. */
  hasFields: boolean
}

interface Grant {
  kind: keyof typeof t.access.levels
  id: string
  role: (typeof ROLES)[number] | undefined
  accessType: string | undefined
  expiresAt: number | undefined
  error: string | undefined
}

/** Everything in the organization that a person was given access to, and the ways to give and take some. */
export function Grants({ organizationId, userId }: Pick<Whose, 'organizationId' | 'userId'>) {
  const name = usePeopleNames(organizationId, [userId])(userId)
  const query = useRead(['grants', organizationId, userId], async (api, options) => {
    const { data } = await api.permissions.getPermissions({ organizationId, userIds: [userId] }, options)
    return data[userId]
  })
  const grants = query.data && grantsOf(query.data)
  const hasFields = query.data?.context !== undefined
  const whose = { organizationId, userId, name, hasFields }
  const nameOf = usePlaceNames(
    organizationId,
    (grants ?? []).map(({ kind: type, id }) => ({ type, id })),
  )
  const columns = columnsOf(whose, nameOf)
  return (
    <Panel title={t.access.grants} actions={<Give whose={whose} grants={grants ?? []} />}>
      <Loaded query={{ ...query, data: grants }}>
        {(rows) => (
          <DataTable label={t.access.grants} columns={columns} rows={rows} idOf={({ kind, id }) => kind + id} />
        )}
      </Loaded>
    </Panel>
  )
}

const grantsOf = ({ organization, folders, documents }: Permissions): Grant[] =>
  (
    [
      ['organization', organization],
      ['folder', folders],
      ['document', documents],
    ] as const
  ).flatMap(([kind, entries]) =>
    Object.entries(entries).map(([id, { accessRole: role, accessType, expiresAt, error }]) => ({
      kind,
      id,
      role,
      accessType,
      expiresAt,
      error,
    })),
  )

type NameOf = ReturnType<typeof usePlaceNames>

const columnsOf = (whose: Whose, nameOf: NameOf): Column<Grant>[] => [
  { header: t.access.where, cell: ({ kind }) => t.access.levels[kind] },
  { header: t.access.place, cell: ({ kind: type, id }) => nameOf({ type, id }) },
  { header: t.access.role, cell: ({ role, error }) => role ?? <span className="bad">{error}</span> },
  { header: t.browse.access, cell: ({ accessType }) => accessType ?? t.none },
  { header: t.access.until, cell: ({ expiresAt }) => timeText(expiresAt) },
  {
    header: t.access.change,
    cell: (grant) => <Take whose={whose} grant={grant} place={nameOf({ type: grant.kind, id: grant.id })} />,
  },
]

type Given = Pick<Grant, 'kind' | 'id' | 'role' | 'expiresAt'>

const give = (api: Api, { organizationId, userId }: Whose, { kind: type, id, role, expiresAt }: Given) => {
  const terms = { ...(role && { accessRole: role }), ...(expiresAt && { expiresAt }) }
  const resources = [{ type, id, organizationId, ...terms }]
  return api.permissions.addPermissions({ user: { userId }, permissions: { resources } })
}

const take = (api: Api, { organizationId, userId }: Whose, { kind: type, id }: Given) =>
  api.permissions.removePermissions({ userId, permissions: { resources: [{ type, id, organizationId }] } })

function Give({ whose, grants }: { whose: Whose; grants: Grant[] }) {
  const { api } = useTenant()
  const run = async ({ kind, id = '', role, until = '' }: Record<string, string>) => {
    const given: Given = {
      kind: KINDS.find((each) => each === kind) ?? 'document',
      id,
      role: ROLES.find((each) => each === role),
      expiresAt: until === '' ? undefined : Date.parse(until),
    }
    if (given.expiresAt !== undefined && given.expiresAt <= Date.now()) throw new Error(t.access.isOver)
    const before = grants.find((grant) => grant.kind === given.kind && grant.id === id)
    await give(api, whose, given)
    const said = t.access.gave(whose.name)
    if (before && whose.hasFields) return said
    const undo = async () => {
      await take(api, whose, given)
      if (before) await give(api, whose, before)
    }
    return { said, undo }
  }
  const fields = <GiveFields organizationId={whose.organizationId} />
  return (
    <Action
      needs="administer"
      label={t.access.give}
      confirm={t.access.giveHelp(whose.name)}
      fields={fields}
      run={run}
    />
  )
}

/** The place that is asked about, first of all. */
function GiveFields({ organizationId }: { organizationId: string }) {
  const [{ kind: asked = 'document', resource }] = useFilters()
  const [kind, setKind] = useState(asked)
  return (
    <>
      <SelectField label={t.access.kind} name="kind" value={asked} options={KIND_OPTIONS} changed={setKind} />
      <PickField
        label={t.access.resource}
        name="id"
        value={resource}
        required
        source={placesToPick(organizationId, kind === 'folder' ? 'folder' : 'document')}
      />
      <SelectField
        label={t.access.role}
        name="role"
        options={ROLES.map((role): [string, string] => [role, t.access.roles[role]])}
      />
      <TimeField label={t.access.untilField} name="until" />
    </>
  )
}

/** Takes a grant. It asks before, where the person is no member without it, or where access fields may go with it. */
function Take({ whose, grant, place }: { whose: Whose; grant: Grant; place: string }) {
  const { api } = useTenant()
  const isMembership = grant.kind === 'organization'
  if (isMembership && grant.role === undefined) return t.none
  const run = async () => {
    await take(api, whose, grant)
    const said = t.access.took(whose.name, place)
    return whose.hasFields ? said : { said, undo: () => give(api, whose, grant) }
  }
  const asks = [
    ...(isMembership ? [t.access.takeMembership(whose.name, place)] : []),
    ...(whose.hasFields ? [t.access.takeFields] : []),
  ]
  const confirm = asks.length > 0 && { confirm: asks.join(' ') }
  return <Action needs="administer" label={t.access.take} {...confirm} run={run} />
}
