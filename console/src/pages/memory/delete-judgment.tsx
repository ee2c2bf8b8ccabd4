import { allDone } from '../../door/all-done.ts'
import { useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'

/** Deletes a judgment after a question, so that no suggestion rests on it. */
export function DeleteJudgment({ recordId }: { recordId: string }) {
  const { memory } = useTenant().api
  const remove = async () => {
    const { results } = await memory.deleteJudgments({ recordIds: [recordId] })
    await allDone(Promise.resolve({ data: results }))
    return t.judgments.deleted
  }
  const { deleteOne, deleteConfirm } = t.judgments
  return <Action needs="review" label={deleteOne} confirm={deleteConfirm} danger run={remove} />
}
