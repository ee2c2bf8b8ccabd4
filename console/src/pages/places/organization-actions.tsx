import { allDone } from '../../door/all-done.ts'
import { useRead, useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { TextField, useFilters } from '../../ui/filters.tsx'
import type { Organization } from '../browse-links.tsx'
import { Rename } from './rename.tsx'

/** Adds an organization and opens it. */
export function AddOrganization() {
  const { organizations } = useTenant().api
  const [, change] = useFilters()
  const add = async ({ organizationId = '', organizationName = '' }: Record<string, string>) => {
    await allDone(organizations.addOrganizations({ organizations: [{ organizationId, organizationName }] }))
    change({ organizationId, search: undefined })
    return t.places.added(organizationName)
  }
  const fields = (
    <>
      <TextField label={t.name} name="organizationName" required />
      <TextField label={t.organizationId} name="organizationId" placeholder={t.places.idHint} required />
    </>
  )
  return <Action needs="administer" label={t.places.addOrganization} fields={fields} run={add} />
}

/** What can be done with an organization; nothing while it is not read, or where there is none. */
export function OrganizationActions({ organizationId }: { organizationId: string }) {
  const query = useRead(['organization', organizationId], async (api, options) => {
    const { data } = await api.organizations.getOrganizations({ organizationIds: [organizationId] }, options)
    return data
  })
  const [organization] = query.data ?? []
  return organization ? <Changes organization={organization} /> : null
}

function Changes({ organization: { id, organizationName, disabled } }: { organization: Organization }) {
  const { organizations } = useTenant().api
  const [, change] = useFilters()
  const name = organizationName || id
  const rename = (to: string | null) =>
    allDone(organizations.updateOrganizations({ organizations: [{ organizationId: id, organizationName: to }] }))
  const disable = (to: boolean) =>
    allDone(organizations.updateOrganizationsDisableState({ organizationIds: [id], disabled: to }))
  const toggle = async () => {
    await disable(!disabled)
    return { said: disabled ? t.places.enabled(name) : t.places.disabled(name), undo: () => disable(disabled) }
  }
  const remove = async () => {
    await allDone(organizations.deleteOrganizations({ organizationIds: [id] }))
    // The address would name an organization that is gone.
    change({ organizationId: undefined }, { replace: true })
    return t.places.deleted(name)
  }
  return (
    <>
      <Rename field="organizationName" name={organizationName} rename={rename} />
      <Action needs="administer" label={disabled ? t.enable : t.disable} run={toggle} />
      <Action needs="administer" label={t.delete} confirm={t.places.deleteOrganization(name)} danger run={remove} />
    </>
  )
}
