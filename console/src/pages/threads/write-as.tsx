import { useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { PickField } from '../../ui/pick-field.tsx'
import { peopleToPick } from '../choices.ts'

/** Who wrote last, by API key and organization, until the page is loaded again. */
const last = new Map<string, string>()

/** In whose name something is written: the operator's at first, then of whoever wrote last. */
export function useWriteAs(organizationId: string) {
  const { apiKey, session } = useTenant()
  const place = JSON.stringify([apiKey.id, organizationId])
  const field = (
    <PickField
      label={t.threads.as}
      name="as"
      value={last.get(place) ?? session.operator.email}
      required
      source={peopleToPick(organizationId)}
    />
  )
  /** The one that the field names, who is remembered. */
  const writer = ({ as = session.operator.email }: Record<string, string>): { userId: string } => {
    last.set(place, as)
    return { userId: as }
  }
  return { field, writer }
}
