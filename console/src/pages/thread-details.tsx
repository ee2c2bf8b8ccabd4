import type { ReactNode } from 'react'
import type { Api, Thread } from '../../../client/src/index.ts'
import { useRead, useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Action } from '../ui/action.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Diff } from '../ui/diff.tsx'
import { TextField } from '../ui/filters.tsx'
import { Folded } from '../ui/folded.tsx'
import { PickField, type Source } from '../ui/pick-field.tsx'
import { Badge, Facts } from '../ui/show.tsx'
import { Empty, Loaded } from '../ui/states.tsx'
import { timeText } from '../ui/text.ts'
import { peopleToPick } from './choices.ts'
import { shortened, textOf } from './comment-text.ts'

type Update = NonNullable<Parameters<Api['comments']['updateCommentAnnotations']>[0]['updatedData']>

/** The beginning of the first comment: what a thread is known by. */
export const titleOf = ({ comments: [first] }: Thread): string =>
  shortened((first && textOf(first).trim()) || t.threads.noText)

export const StatusBadge = ({ status }: { status: Thread['status'] }) => (
  <Badge tone={status.type === 'terminal' ? 'good' : 'wait'}>{status.name}</Badge>
)

interface DetailsProps {
  thread: Thread
  organizationId: string
}

/** One thread by its id, which an address may hold though the list does not. */
export function ThreadDialog(props: { id: string; organizationId: string; close: () => void }) {
  const { id, organizationId, close } = props
  const query = useRead(['thread', organizationId, id], async (api, options) => {
    const { data } = await api.comments.getCommentAnnotations({ organizationId, annotationIds: [id] }, options)
    return { thread: data[0] ?? undefined }
  })
  const thread = query.data?.thread
  return (
    <Dialog title={thread ? titleOf(thread) : t.threads.thread} close={close} wide>
      <Loaded query={query}>
        {() =>
          thread ? (
            <ThreadDetails thread={thread} organizationId={organizationId} />
          ) : (
            <Empty what={t.threads.unknown} next={t.threads.unknownNext} />
          )
        }
      </Loaded>
    </Dialog>
  )
}

/** The comments of a thread, and what can be done with it. */
function ThreadDetails({ thread, organizationId }: DetailsProps) {
  return (
    <>
      <Facts
        facts={[
          [t.status, <StatusBadge key="status" status={thread.status} />],
          [t.documentId, documentOf(thread)],
          [t.threads.priority, thread.priority?.name],
          [t.threads.assigned, thread.assignedTo?.name ?? thread.assignedTo?.userId],
        ]}
      />
      {thread.suggestion && <Suggested suggestion={thread.suggestion} />}
      <ol className="plain">
        {thread.comments.map((comment) => (
          <li key={comment.commentId}>
            <p>
              <strong>{comment.from.name || comment.from.userId}</strong> · {timeText(comment.createdAt)}
            </p>
            <Folded text={textOf(comment) || t.threads.noText} />
          </li>
        ))}
      </ol>
      {thread.commentsTruncated && <p>{t.threads.truncated}</p>}
      <ThreadActions thread={thread} organizationId={organizationId} />
    </>
  )
}

const documentOf = ({ metadata }: Thread) => (metadata as { documentId: string }).documentId

function Suggested({ suggestion }: { suggestion: NonNullable<Thread['suggestion']> }) {
  const { summary, status, oldValue, newValue } = suggestion
  return (
    <section>
      <h3>{t.threads.proposed}</h3>
      <p className="told">
        {summary} <Badge>{status}</Badge>
      </p>
      <Diff before={oldValue} after={newValue} />
    </section>
  )
}

/** What a person can do with a thread. Each change is written in the name of `userId`. */
function useChanges({ thread, organizationId }: DetailsProps) {
  const { api, session } = useTenant()
  const { annotationId, status, priority, assignedTo } = thread
  const place = { organizationId, documentId: documentOf(thread) }
  const me = session.operator.email
  const before: Update = {
    status: { id: status.id, type: status.type },
    priority: priority ? { id: priority.id } : null,
    assignedTo: assignedTo ? { userId: assignedTo.userId } : null,
  }
  const update = async (updatedData: Update, userId: string = me) => {
    const data = { ...place, annotationIds: [annotationId], actionUser: { userId } }
    await api.comments.updateCommentAnnotations({ ...data, updatedData })
    return {
      said: t.threads.changed,
      undo: () => api.comments.updateCommentAnnotations({ ...data, updatedData: before }),
    }
  }
  const decide = async (decision: 'accepted' | 'rejected', userId: string = me) => {
    await update({ suggestion: { status: decision } }, userId)
    return t.threads.changed
  }
  const reply = async ({ text = '', as = me }: Record<string, string>) => {
    const commentData = [{ commentText: text, from: { userId: as } }]
    await api.comments.addComments({ ...place, annotationId, commentData })
    return t.threads.replied
  }
  const edit = ({ priorityId, assignee, as }: Record<string, string>) =>
    update({ priority: priorityId ? { id: priorityId } : null, assignedTo: assignee ? { userId: assignee } : null }, as)
  return { me, update, decide, reply, edit }
}

function ThreadActions(props: DetailsProps) {
  const { me, update, decide, reply, edit } = useChanges(props)
  const { thread } = props
  const { status, suggestion } = thread
  const people = peopleToPick(props.organizationId)
  const as = <PickField label={t.threads.as} name="as" value={me} required source={people} />
  const text = <TextField label={t.threads.text} name="text" rows={4} required />
  return (
    <footer className="actions">
      <Action
        needs="review"
        label={t.threads.reply}
        fields={
          <>
            {text}
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
      {suggestion?.status === 'pending' && <Decisions decide={decide} as={as} />}
      {status.type === 'terminal' ? (
        <Action
          needs="review"
          label={t.threads.reopen}
          fields={as}
          run={(v) => update({ status: { type: 'default' } }, v.as)}
        />
      ) : (
        <Action
          needs="review"
          label={t.threads.resolve}
          fields={as}
          run={(v) => update({ status: { type: 'terminal' } }, v.as)}
        />
      )}
    </footer>
  )
}

const PriorityFields = ({ thread: { priority, assignedTo }, people }: { thread: Thread; people: Source }) => (
  <>
    <TextField label={t.threads.priorityId} name="priorityId" value={priority?.id ?? ''} />
    <PickField label={t.threads.assignee} name="assignee" value={assignedTo?.userId} source={people} />
  </>
)

interface DecisionsProps {
  decide: (status: 'accepted' | 'rejected', userId?: string) => Promise<string>
  as: ReactNode
}

function Decisions({ decide, as }: DecisionsProps) {
  const run = (status: 'accepted' | 'rejected') => (values: Record<string, string>) => decide(status, values.as)
  return (
    <>
      <Action needs="review" label={t.threads.approve} fields={as} run={run('accepted')} />
      <Action needs="review" label={t.threads.reject} fields={as} run={run('rejected')} />
    </>
  )
}
