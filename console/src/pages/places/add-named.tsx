import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { TextField } from '../../ui/filters.tsx'

interface AddProps {
  label: string
  /** What the API calls its name and its id. */
  fields: { name: string; id: string }
  idLabel: string
  /** Adds it and returns what is said then. */
  add: (values: Record<string, string>) => Promise<string>
}

/** Adds a record by a name and by the id that the product has for it. */
export function AddNamed({ label, fields: { name, id }, idLabel, add }: AddProps) {
  const fields = (
    <>
      <TextField label={t.name} name={name} required />
      <TextField label={idLabel} name={id} placeholder={t.places.idHint} required />
    </>
  )
  return <Action needs="administer" label={label} fields={fields} run={add} />
}
