import { useState } from 'react'
import {
  inviteOperator,
  type Operator,
  ROLES,
  readOperators,
  readWorkspaces,
  removeOperator,
  updateOperator,
} from '../../door/operators.ts'
import type { Role } from '../../door/session.ts'
import { useRead } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextField, withoutEmpty } from '../../ui/filters.tsx'
import { PickField, type Source } from '../../ui/pick-field.tsx'
import { Badge, CopyButton, Panel } from '../../ui/show.tsx'
import { Loaded } from '../../ui/states.tsx'
import { numberText, timeText } from '../../ui/text.ts'

/** Everybody who may sign in, and the ways to invite, change and remove them. */
export function Operators() {
  const [link, setLink] = useState<string>()
  const query = useRead(['operators'], (_api, { signal }) => readOperators(signal))
  return (
    <Panel title={t.operator.people} actions={<Invite show={setLink} />}>
      <Loaded query={query}>
        {(rows) => (
          <DataTable label={t.operator.people} columns={columnsOf(setLink)} rows={rows} idOf={({ id }) => id} />
        )}
      </Loaded>
      {link && <OneTimeLink link={link} close={() => setLink(undefined)} />}
    </Panel>
  )
}

type ShowLink = (link: string | undefined) => void

/** The link is kept in memory only, until the dialog is closed. */
const OneTimeLink = ({ link, close }: { link: string; close: () => void }) => (
  <Dialog title={t.operator.link} close={close}>
    <p>{t.operator.linkHelp}</p>
    <code className="told">{link}</code>
    <CopyButton text={link} />
  </Dialog>
)

const WORKSPACES_TO_PICK: Source = {
  key: ['workspaces'],
  find: async (_api, text, { signal }) =>
    (await readWorkspaces({ ...(text && { search: text }) }, signal ?? undefined)).rows.map(
      ({ id, name, ownerEmail }) => ({
        id,
        name: name || id,
        note: ownerEmail,
      }),
    ),
}

const roleOf = (text: string | undefined): Role => ROLES.find((role) => role === text) ?? 'viewer'

const RoleField = ({ value }: { value: Role }) => (
  <SelectField
    label={t.operator.role}
    name="role"
    value={value}
    options={ROLES.map((role) => [role, t.operator.roles[role]])}
  />
)

function Invite({ show }: { show: ShowLink }) {
  const invite = async ({ email = '', name, role, workspaceId }: Record<string, string>) => {
    show(await inviteOperator({ email, role: roleOf(role), ...withoutEmpty({ name, workspaceId }) }))
    return t.operator.invited
  }
  const fields = (
    <>
      <TextField label={t.operator.email} name="email" type="email" required />
      <TextField label={t.operator.name} name="name" />
      <RoleField value="viewer" />
      <PickField label={t.operator.onlyWorkspace} name="workspaceId" source={WORKSPACES_TO_PICK} />
    </>
  )
  return <Action needs="operate" label={t.operator.invite} fields={fields} run={invite} />
}

const columnsOf = (show: ShowLink): Column<Operator>[] => [
  { header: t.operator.email, cell: ({ email }) => email },
  { header: t.operator.name, cell: ({ name }) => name },
  { header: t.operator.role, cell: ({ role }) => <Badge>{t.roles[role]}</Badge> },
  { header: t.operator.reaches, cell: ({ workspaceId }) => workspaceId ?? t.operator.everything },
  { header: t.operator.password, cell: ({ hasPassword }) => (hasPassword ? t.operator.isSet : t.operator.notSet) },
  { header: t.operator.sessions, isNumber: true, cell: ({ sessions }) => numberText(sessions) },
  { header: t.created, cell: ({ createdAt }) => timeText(createdAt) },
  { header: t.operator.change, cell: (operator) => <OperatorActions operator={operator} show={show} /> },
]

function OperatorActions({ operator, show }: { operator: Operator; show: ShowLink }) {
  const { id, email, role } = operator
  const changeRole = async (values: Record<string, string>) => {
    await updateOperator({ id, role: roleOf(values.role) })
    return { said: t.operator.changed(email), undo: () => updateOperator({ id, role }) }
  }
  const newLink = async () => {
    show(await updateOperator({ id, newLink: true }))
    return undefined
  }
  const endSessions = async () => {
    await updateOperator({ id, endSessions: true })
    return t.operator.ended(email)
  }
  const remove = async () => {
    await removeOperator(id)
    return t.operator.removed(email)
  }
  return (
    <div className="actions">
      <Action needs="operate" label={t.operator.changeRole} fields={<RoleField value={role} />} run={changeRole} />
      <Action needs="operate" label={t.operator.newLink} confirm={t.operator.newLinkConfirm(email)} run={newLink} />
      <Action needs="operate" label={t.operator.endSessions} confirm={t.operator.endConfirm(email)} run={endSessions} />
      <Action needs="operate" label={t.operator.remove} confirm={t.operator.removeConfirm(email)} danger run={remove} />
    </div>
  )
}
