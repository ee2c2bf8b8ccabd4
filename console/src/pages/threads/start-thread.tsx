import { allDone } from '../../door/all-done.ts'
import { useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { TextField, useFilters } from '../../ui/filters.tsx'
import { PickField } from '../../ui/pick-field.tsx'
import { placesToPick } from '../choices.ts'
import { useWriteAs } from './write-as.tsx'

/** Starts a thread on a document of an organization, and opens it. */
export function StartThread({ organizationId }: { organizationId: string }) {
  const { comments } = useTenant().api
  const [{ documentId: shown }, change] = useFilters()
  const { field, writer } = useWriteAs(organizationId)
  const start = async (values: Record<string, string>) => {
    const { documentId = '', commentText = '' } = values
    const commentAnnotations = [{ commentData: [{ commentText, from: writer(values) }] }]
    const { data } = await allDone(comments.addCommentAnnotations({ organizationId, documentId, commentAnnotations }))
    change({ organizationId, thread: Object.keys(data)[0] })
    return t.threads.started
  }
  const fields = (
    <>
      <PickField
        label={t.document}
        name="documentId"
        value={shown}
        required
        source={placesToPick(organizationId, 'document')}
      />
      <TextField label={t.threads.text} name="commentText" rows={4} required />
      {field}
    </>
  )
  return <Action needs="review" label={t.threads.start} fields={fields} run={start} />
}
