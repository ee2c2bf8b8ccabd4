import { type ReactNode, useRef } from 'react'
import type { Api, Thread } from '../../../../client/src/index.ts'
import { allDone } from '../../door/all-done.ts'
import { useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { SelectField, TextField } from '../../ui/filters.tsx'
import { PickField, type Source } from '../../ui/pick-field.tsx'
import { peopleToPick } from '../choices.ts'
import { DeleteLocation } from './location.tsx'
import { documentOf } from './thread.ts'
import { useWriteAs } from './write-as.tsx'

type Update = NonNullable<Parameters<Api['comments']['updateCommentAnnotations']>[0]['updatedData']>
type Values = Record<string, string>

/** The statuses that the service knows, and those by which the decision memory learns of an approval or a rejection. */
const STATUSES: Record<string, NonNullable<Update['status']>> = {
  OPEN: { id: 'OPEN' },
  IN_PROGRESS: { id: 'IN_PROGRESS' },
  RESOLVED: { id: 'RESOLVED' },
  APPROVED: { id: 'APPROVED', name: t.threads.statuses.APPROVED, type: 'terminal' },
  REJECTED: { id: 'REJECTED', name: t.threads.statuses.REJECTED, type: 'terminal' },
}

interface OfThread {
  thread: Thread
  organizationId: string
}

/** What a person can do with a thread. Each change is written in the name of the one in the field `as`. */
function useChanges({ thread, organizationId }: OfThread) {
  const { api } = useTenant()
  const { field: as, writer } = useWriteAs(organizationId)
  /** A reason that was written before a change that failed: it is not written again with the next try. */
  const written = useRef<string>(undefined)
  const { annotationId, status, priority, assignedTo } = thread
  const place = { organizationId, documentId: documentOf(thread) }
  const before: Update = {
    status,
    priority: priority ?? null,
    assignedTo: assignedTo ? { userId: assignedTo.userId } : null,
  }
  const say = (text: string, values: Values) => {
    const commentData = [{ commentText: text, from: writer(values) }]
    return api.comments.addComments({ ...place, annotationId, commentData })
  }
  /** The reason stands in the thread before what it explains, where the decision memory finds it. */
  const update = async (updatedData: Update, values: Values) => {
    if (values.reason && values.reason !== written.current) await say(values.reason, values)
    written.current = values.reason
    const data = { ...place, annotationIds: [annotationId], actionUser: writer(values) }
    await allDone(api.comments.updateCommentAnnotations({ ...data, updatedData }))
    written.current = undefined
    const changed = Object.entries(before).filter(([name]) => name in updatedData)
    const restored: Update = Object.fromEntries(changed)
    return {
      said: t.threads.changed,
      undo: () => allDone(api.comments.updateCommentAnnotations({ ...data, updatedData: restored })),
    }
  }
  const decide = async (decision: 'accepted' | 'rejected', values: Values) => {
    // The service keeps of a suggestion what is sent.
    await update({ suggestion: { ...thread.suggestion, status: decision } }, values)
    return t.threads.changed
  }
  const reply = async (values: Values) => {
    await say(values.commentText ?? '', values)
    return t.threads.replied
  }
  const edit = (values: Values) => {
    const { priorityId = '', assignee } = values
    const kept = priority?.id === priorityId ? priority : { id: priorityId }
    return update(
      { priority: priorityId === '' ? null : kept, assignedTo: assignee ? { userId: assignee } : null },
      values,
    )
  }
  const changeStatus = (values: Values) => update({ status: STATUSES[values.status ?? ''] ?? status }, values)
  return { as, update, decide, reply, edit, changeStatus }
}

/** Reply, decide, change the status, the priority and who is to do it. */
export function ThreadActions(props: OfThread & { close: () => void }) {
  const { as, update, decide, reply, edit, changeStatus } = useChanges(props)
  const { thread } = props
  const people = peopleToPick(props.organizationId)
  const decision = (
    <>
      <TextField label={t.threads.reason} name="reason" rows={3} />
      {as}
    </>
  )
  const isOver = thread.status.type === 'terminal'
  return (
    <footer className="actions">
      <Action
        needs="review"
        label={t.threads.reply}
        fields={
          <>
            <TextField label={t.threads.text} name="commentText" rows={4} required />
            {as}
          </>
        }
        run={reply}
      />
      <Action
        needs="review"
        label={t.threads.edit}
        fields={
          <>
            <PriorityFields thread={thread} people={people} />
            {as}
          </>
        }
        run={edit}
      />
      {thread.suggestion?.status === 'pending' && <Decisions decide={decide} fields={decision} />}
      <Action
        needs="review"
        label={t.threads.changeStatus}
        fields={
          <>
            <StatusField status={thread.status} />
            {decision}
          </>
        }
        run={changeStatus}
      />
      <Action
        needs="review"
        label={isOver ? t.threads.reopen : t.threads.resolve}
        fields={as}
        run={(values) => update({ status: { type: isOver ? 'default' : 'terminal' } }, values)}
      />
      <DeleteLocation {...props} />
      <DeleteThread {...props} />
    </footer>
  )
}

function DeleteThread({ thread, organizationId, close }: OfThread & { close: () => void }) {
  const { api } = useTenant()
  const { field, writer } = useWriteAs(organizationId)
  const remove = async (values: Values) => {
    const place = { organizationId, documentId: documentOf(thread), annotationIds: [thread.annotationId] }
    await allDone(api.comments.deleteCommentAnnotations({ ...place, actionUser: writer(values) }))
    close()
    return t.threads.threadDeleted
  }
  const { deleteThread, deleteThreadConfirm } = t.threads
  return <Action needs="review" label={deleteThread} confirm={deleteThreadConfirm} fields={field} danger run={remove} />
}

/** The status that it has, first of all where it is one of the caller's own. */
function StatusField({ status: { id, name } }: Pick<Thread, 'status'>) {
  const { all: _, ...names } = t.threads.statuses
  const options = Object.entries({ [id]: name, ...names })
  return <SelectField label={t.status} name="status" value={id} options={options} />
}

const PriorityFields = ({ thread: { priority, assignedTo }, people }: { thread: Thread; people: Source }) => (
  <>
    <TextField label={t.threads.priorityId} name="priorityId" value={priority?.id ?? ''} />
    <PickField label={t.threads.assignee} name="assignee" value={assignedTo?.userId} source={people} />
  </>
)

interface DecisionsProps {
  decide: (status: 'accepted' | 'rejected', values: Values) => Promise<string>
  fields: ReactNode
}

const Decisions = ({ decide, fields }: DecisionsProps) => (
  <>
    <Action needs="review" label={t.threads.approve} fields={fields} run={(values) => decide('accepted', values)} />
    <Action needs="review" label={t.threads.reject} fields={fields} run={(values) => decide('rejected', values)} />
  </>
)
