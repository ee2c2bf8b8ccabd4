import type { Thread } from '../../../../client/src/index.ts'
import { useRead } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Diff } from '../../ui/diff.tsx'
import { Badge, Facts } from '../../ui/show.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { timeText } from '../../ui/text.ts'
import { useDocumentNames } from '../names.ts'
import { sideOf } from '../sides.ts'
import { locationName } from './location.tsx'
import { documentOf, titleOf, whoIs } from './thread.ts'
import { ThreadActions } from './thread-actions.tsx'
import { ThreadComments } from './thread-comments.tsx'

/** The status of a thread. */
export function StatusBadge({ status: { id, type, name } }: { status: Thread['status'] }) {
  const ended = sideOf({ decision: id }) === 'reject' ? 'bad' : 'good'
  return <Badge tone={type === 'terminal' ? ended : 'wait'}>{name}</Badge>
}

interface DetailsProps {
  thread: Thread
  organizationId: string
  close: () => void
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
            <ThreadDetails thread={thread} organizationId={organizationId} close={close} />
          ) : (
            <Empty what={t.threads.unknown} next={t.threads.unknownNext} />
          )
        }
      </Loaded>
    </Dialog>
  )
}

/** The comments of a thread, and what can be done with it. */
function ThreadDetails({ thread, organizationId, close }: DetailsProps) {
  const { status, location, priority, assignedTo, resolvedByUser, suggestion } = thread
  const documentId = documentOf(thread)
  const nameOf = useDocumentNames(organizationId, [documentId])
  return (
    <>
      <Facts
        facts={[
          [t.status, <StatusBadge key="status" status={status} />],
          ...(resolvedByUser ? [[t.threads.resolvedBy, whoIs(resolvedByUser)] as [string, string]] : []),
          [t.document, nameOf(documentId)],
          [t.threads.location, location && locationName(location)],
          [t.threads.priority, priority?.name],
          [t.threads.assigned, assignedTo && whoIs(assignedTo)],
        ]}
      />
      {suggestion && <Suggested suggestion={suggestion} />}
      <ThreadComments thread={thread} organizationId={organizationId} />
      <ThreadActions thread={thread} organizationId={organizationId} close={close} />
    </>
  )
}

function Suggested({ suggestion }: { suggestion: NonNullable<Thread['suggestion']> }) {
  const { summary, status, oldValue, newValue, resolvedBy, resolvedAt, rejectReason } = suggestion
  const who = resolvedBy?.name ?? resolvedBy?.userId
  return (
    <section>
      <h3>{t.threads.proposed}</h3>
      <p className="told">
        {summary} {status && <Badge tone={TONES[status]}>{t.threads.suggestionStates[status]}</Badge>}{' '}
        {typeof who === 'string' && (
          <span className="muted">
            {t.threads.decidedBy} <bdi>{who}</bdi>, {timeText(resolvedAt)}
          </span>
        )}
      </p>
      {rejectReason && <p className="told">{rejectReason}</p>}
      <Diff before={oldValue} after={newValue} />
    </section>
  )
}

const TONES = { pending: 'wait', accepted: 'good', rejected: 'bad', stale: 'plain', apply_failed: 'bad' } as const
