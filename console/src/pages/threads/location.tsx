import type { Thread } from '../../../../client/src/index.ts'
import { useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { documentOf } from './thread.ts'

type Location = NonNullable<Thread['location']>

/** What people call a location: its name, or its id. */
export const locationName = ({ locationName: name, id }: Location): string => `${name ?? id ?? t.none}`

interface DeleteLocationProps {
  thread: Thread
  organizationId: string
  close: () => void
}

/** Deletes everything at the location of a thread, this thread too. The operation takes the auth token of the key. */
export function DeleteLocation({ thread, organizationId, close }: DeleteLocationProps) {
  const { api, apiKey } = useTenant()
  const { location } = thread
  if (!location) return null
  const name = locationName(location)
  const remove = async () => {
    const { data } = await api.workspaces.getAuthTokens({ apiKey: apiKey.id })
    const authToken = data.authTokens[0]?.token ?? ''
    const place = { organizationId, documentId: documentOf(thread), location }
    await api.locations.deleteLocationData({ apiKey: apiKey.id, authToken, ...place })
    close()
    return t.threads.locationDeleted(name)
  }
  const { deleteLocation, deleteLocationConfirm } = t.threads
  return <Action needs="administer" label={deleteLocation} confirm={deleteLocationConfirm(name)} danger run={remove} />
}
