import { allDone } from '../../door/all-done.ts'
import { useRead, useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { useFilters } from '../../ui/filters.tsx'
import type { Organization } from '../browse-links.tsx'
import { AddNamed } from './add-named.tsx'
import { Disable } from './disable.tsx'
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
  const fields = { name: 'organizationName', id: 'organizationId' }
  return <AddNamed label={t.places.addOrganization} fields={fields} idLabel={t.organizationId} add={add} />
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
  const remove = async () => {
    await allDone(organizations.deleteOrganizations({ organizationIds: [id] }))
    // The address would name an organization that is gone.
    change({ organizationId: undefined }, { replace: true })
    return t.places.deleted(name)
  }
  return (
    <>
      <Rename field="organizationName" name={organizationName} rename={rename} />
      <Disable name={name} disabled={disabled} disable={disable} />
      <Action needs="administer" label={t.delete} confirm={t.places.deleteOrganization(name)} danger run={remove} />
    </>
  )
}
