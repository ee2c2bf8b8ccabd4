import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { TextField } from '../../ui/filters.tsx'

interface RenameProps {
  label?: string
  /** What the API calls the name. */
  field: string
  /** The name that it has, which may be empty. */
  name: string
  /** Gives it another name; null takes the name away. */
  rename: (to: string | null) => Promise<unknown>
}

/** Gives a place another name, with a way back. */
export function Rename({ label = t.places.rename, field, name, rename }: RenameProps) {
  const run = async ({ [field]: to = '' }: Record<string, string>) => {
    await rename(to)
    return { said: t.places.renamed(to), undo: () => rename(name || null) }
  }
  const fields = <TextField label={t.name} name={field} value={name} required />
  return <Action needs="administer" label={label} fields={fields} run={run} />
}
