import type { User } from '../../../../client/src/index.ts'
import { allDone } from '../../door/all-done.ts'
import { useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { TextField } from '../../ui/filters.tsx'

/** Adds a person to an organization. */
export function AddPerson({ organizationId }: { organizationId: string }) {
  const { users } = useTenant().api
  const add = async ({ userId = '', name = '', email = '' }: Record<string, string>) => {
    await allDone(users.addUsers({ organizationId, users: [{ userId, name, ...(email && { email }) }] }))
    return t.people.added(name)
  }
  const fields = (
    <>
      <TextField label={t.name} name="name" required />
      <TextField label={t.userId} name="userId" placeholder={t.places.idHint} required />
      <TextField label={t.people.email} name="email" type="email" />
    </>
  )
  return <Action needs="administer" label={t.people.add} confirm={t.people.addHelp} fields={fields} run={add} />
}

interface OfPerson {
  person: User
  organizationId: string
  close: () => void
}

/** Changes the name and the address of a person, and takes the person out of an organization. */
export function PersonActions({ person: { userId, name = '', email }, organizationId, close }: OfPerson) {
  const { users } = useTenant().api
  const update = (changed: { name?: string | null; email?: string | null }) =>
    allDone(users.updateUsers({ organizationId, users: [{ userId, ...changed }] }))
  const edit = async (values: Record<string, string>) => {
    const isOther = values.email !== (email ?? '')
    await update({ name: values.name ?? name, ...(isOther && { email: values.email || null }) })
    const said = t.people.edited
    // An address that was never given is not the same as one that was taken away.
    if (isOther && !email) return said
    return { said, undo: () => update({ name: name || null, ...(isOther && { email: email ?? null }) }) }
  }
  const remove = async () => {
    await allDone(users.deleteUsers({ organizationId, userIds: [userId] }))
    close()
    return t.people.removed(name || userId)
  }
  const fields = (
    <>
      <TextField label={t.name} name="name" value={name} required />
      <TextField label={t.people.email} name="email" type="email" value={email ?? ''} />
    </>
  )
  return (
    <>
      <Action needs="administer" label={t.people.edit} fields={fields} run={edit} />
      <Action
        needs="administer"
        label={t.people.remove}
        confirm={t.people.removeConfirm(name || userId)}
        danger
        run={remove}
      />
    </>
  )
}
