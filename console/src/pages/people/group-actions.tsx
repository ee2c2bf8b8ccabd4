import { allDone } from '../../door/all-done.ts'
import { useRead, useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { useFilters } from '../../ui/filters.tsx'
import { PickField } from '../../ui/pick-field.tsx'
import { peopleToPick } from '../choices.ts'
import { AddNamed } from '../places/add-named.tsx'
import { Rename } from '../places/rename.tsx'

/** The user groups of an organization. */
export const useGroups = (organizationId: string) =>
  useRead(['groups', organizationId], async (api, options) => {
    const { data } = await api.userGroups.getUserGroups({ organizationId }, options)
    return data
  })

/** Adds a user group to an organization, and shows it. */
export function AddGroup({ organizationId }: { organizationId: string }) {
  const { userGroups } = useTenant().api
  const [, change] = useFilters()
  const add = async ({ groupId = '', groupName = '' }: Record<string, string>) => {
    await allDone(userGroups.addUserGroups({ organizationId, organizationUserGroups: [{ groupId, groupName }] }))
    change({ organizationId, group: groupId, search: undefined })
    return t.people.groupAdded(groupName)
  }
  const fields = { name: 'groupName', id: 'groupId' }
  return <AddNamed label={t.people.addGroup} fields={fields} idLabel={t.people.groupId} add={add} />
}

interface OfGroup {
  organizationId: string
  groupId: string
}

/** What can be done with the group that is shown; nothing where there is none. */
export function GroupActions({ organizationId, groupId }: OfGroup) {
  const { userGroups } = useTenant().api
  const [, change] = useFilters()
  const { data: groups = [] } = useGroups(organizationId)
  const group = groups.find((each) => each.groupId === groupId)
  if (group === undefined) return null
  const { groupName = '' } = group
  const name = groupName || groupId
  const place = { organizationId, organizationUserGroupId: groupId }
  const rename = (to: string | null) =>
    allDone(userGroups.updateUserGroups({ organizationId, organizationUserGroups: [{ groupId, groupName: to }] }))
  const addMember = async ({ userIds = '' }: Record<string, string>) => {
    await allDone(userGroups.addGroupUsers({ ...place, userIds: [userIds] }))
    return t.people.inGroup
  }
  const remove = async () => {
    await allDone(userGroups.deleteUserGroups({ organizationId, organizationUserGroupIds: [groupId] }))
    // The address would name a group that is gone.
    change({ group: undefined }, { replace: true })
    return t.people.groupDeleted(name)
  }
  const field = <PickField label={t.person} name="userIds" required source={peopleToPick(organizationId)} />
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form.
    <div className="actions" role="group" aria-label={t.people.groupActions(name)}>
      <Action needs="administer" label={t.people.addToGroup} fields={field} run={addMember} />
      <Rename label={t.people.renameGroup} field="groupName" name={groupName} rename={rename} />
      <Action
        needs="administer"
        label={t.people.deleteGroup}
        confirm={t.people.deleteGroupConfirm(name)}
        danger
        run={remove}
      />
    </div>
  )
}

/** Takes a person out of a group, with a way back. */
export function TakeOut({ organizationId, groupId, userId }: OfGroup & { userId: string }) {
  const { userGroups } = useTenant().api
  const member = { organizationId, organizationUserGroupId: groupId, userIds: [userId] }
  const run = async () => {
    await allDone(userGroups.deleteGroupUsers(member))
    return { said: t.people.outOfGroup, undo: () => allDone(userGroups.addGroupUsers(member)) }
  }
  return <Action needs="administer" label={t.people.takeOut} run={run} />
}
