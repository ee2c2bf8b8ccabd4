import { t } from '../../strings.ts'
import { SelectField } from '../../ui/filters.tsx'

export type AccessType = keyof typeof t.places.accessTypes

const OPTIONS = Object.entries(t.places.accessTypes)

/** The access type that a form holds; undefined for none of the three. */
export const accessTypeOf = (value: string | undefined): AccessType | undefined =>
  (Object.keys(t.places.accessTypes) as AccessType[]).find((each) => each === value)

/** The field `accessType`. With `inherited`, the type can also be left to what is above. */
export const AccessTypeField = ({ value, inherited = false }: { value: string; inherited?: boolean }) => (
  <SelectField
    label={t.browse.access}
    name="accessType"
    value={value}
    options={OPTIONS}
    {...(inherited && { any: t.places.asAbove })}
  />
)
