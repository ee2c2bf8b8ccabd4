import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { PickField } from '../../ui/pick-field.tsx'
import { placesToPick } from '../choices.ts'

/** What the API calls the folder of what is in none. */
export const TOP = 'root'

interface MoveProps {
  organizationId: string
  /** What the API calls the folder in the request. */
  field: string
  /** The folder that it is in, or the top. */
  from: string
  confirm?: string
  move: (to: string) => Promise<unknown>
}

/** Moves a document or a folder into another folder or to the top, with a way back. */
export function Move({ organizationId, field, from, confirm, move }: MoveProps) {
  const run = async ({ [field]: to }: Record<string, string>) => {
    await move(to || TOP)
    return { said: t.places.moved, undo: () => move(from) }
  }
  const source = placesToPick(organizationId, 'folder')
  const fields = <PickField label={t.places.moveTo} name={field} value={from === TOP ? '' : from} source={source} />
  return <Action needs="administer" label={t.places.move} {...(confirm && { confirm })} fields={fields} run={run} />
}
