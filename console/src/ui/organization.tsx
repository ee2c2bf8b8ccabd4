import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useRead, useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { FilterForm, SelectField, useFilters, withChosen } from './filters.tsx'
import { Empty, Loaded } from './states.tsx'

const MOST = 1_000

/** Nothing is there yet; the page Start has the request that adds the first organization. */
export function NoOrganization() {
  const { apiKey } = useTenant()
  const next = (
    <>
      <Link to="/start" search={{ key: apiKey.id }}>
        {t.noOrganizationLink}
      </Link>{' '}
      {t.noOrganizationNext}
    </>
  )
  return <Empty what={t.noOrganization} next={next} />
}

/** The organization that a field holds. What belongs to the one in the address is left out once it is another one. */
export interface Held {
  id: string
  ofIt: (id: string | undefined) => string | undefined
}

interface OfOrganizationProps {
  /** Gets its id, the field to choose another one, and which one the field holds. */
  children: (organizationId: string, field: ReactNode, held: Held) => ReactNode
}

/** A page of one organization: the one in the address, else the first. */
export function OfOrganization({ children }: OfOrganizationProps) {
  const [{ organizationId }] = useFilters()
  const [held, setHeld] = useState<string>()
  const query = useRead(['organizations'], async (api, options) => {
    const { data } = await api.organizations.getOrganizations({ pageSize: MOST }, options)
    return data
  })
  return (
    <Loaded query={query}>
      {(organizations) => {
        const chosen = organizationId ?? organizations[0]?.id
        if (chosen === undefined) return <NoOrganization />
        const named = organizations.map(({ id, organizationName }): [string, string] => [id, organizationName || id])
        const field = (
          <SelectField
            label={t.organization}
            name="organizationId"
            value={chosen}
            // An address may name one that is beyond the list.
            options={withChosen(named, chosen)}
            changed={setHeld}
          />
        )
        const id = held ?? chosen
        const shown = children(chosen, field, { id, ofIt: (place) => (id === chosen ? place : undefined) })
        if (organizations.some((each) => each.id === chosen)) return shown
        return <Unlisted id={chosen} field={field} shown={shown} />
      }}
    </Loaded>
  )
}

/** An organization that the list does not have: it is new, beyond the list, or there is none. */
function Unlisted({ id, field, shown }: { id: string; field: ReactNode; shown: ReactNode }) {
  const query = useRead(['organization', id], async (api, options) => {
    const { data } = await api.organizations.getOrganizations({ organizationIds: [id] }, options)
    return data
  })
  return (
    <Loaded query={query}>
      {({ length }) =>
        length > 0 ? (
          shown
        ) : (
          <>
            <FilterForm>{field}</FilterForm>
            <Empty what={t.unknownOrganization(id)} next={t.unknownOrganizationNext} />
          </>
        )
      }
    </Loaded>
  )
}
