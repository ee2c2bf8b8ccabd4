import { useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { TextField, useFilters } from '../../ui/filters.tsx'

const POLL_MS = 500

/** Gives a document another id, with everything in it, and a way back. It waits until that is done. */
export function ChangeId({ organizationId, id }: { organizationId: string; id: string }) {
  const [, change] = useFilters()
  const { documents } = useTenant().api
  const migrate = async (documentId: string, newDocumentId: string) => {
    const { data } = await documents.migrateDocument({ organizationId, documentId, newDocumentId })
    const asked = { organizationId, migrationId: data.migrationId }
    for (;;) {
      const { status } = (await documents.getMigrationStatus(asked)).data
      if (status === 'failed') throw new Error(t.places.idFailed)
      if (status === 'completed') break
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
    // The address goes on naming the document, unless somebody has gone on meanwhile.
    const { document } = Object.fromEntries(new URLSearchParams(location.search))
    if (document === documentId) change({ document: newDocumentId }, { replace: true })
  }
  const run = async ({ newDocumentId = '' }: Record<string, string>) => {
    await migrate(id, newDocumentId)
    return { said: t.places.idChanged(newDocumentId), undo: () => migrate(newDocumentId, id) }
  }
  const field = <TextField label={t.places.newId} name="newDocumentId" placeholder={t.places.idHint} required />
  return (
    <Action needs="administer" label={t.places.changeId} confirm={t.places.changeIdHelp(id)} fields={field} run={run} />
  )
}
