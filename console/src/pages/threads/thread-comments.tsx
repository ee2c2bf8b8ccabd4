import { type ReactNode, useState } from 'react'
import type { Comment, Thread } from '../../../../client/src/index.ts'
import { useRead, useReadPages } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Button } from '../../ui/button.tsx'
import { More } from '../../ui/data-table.tsx'
import { Folded } from '../../ui/folded.tsx'
import { Badge } from '../../ui/show.tsx'
import { Loaded } from '../../ui/states.tsx'
import { numberText, timeText } from '../../ui/text.ts'
import { Attached } from './attached.tsx'
import { CommentActions } from './comment-actions.tsx'
import { textOf } from './comment-text.ts'
import { documentOf, whoIs } from './thread.ts'

interface OfThread {
  thread: Thread
  organizationId: string
}

const PAGE_SIZE = 200

/** What was said in a thread, who reacted to it and how. Of a long one the first and the latest, and all when asked. */
export function ThreadComments({ thread, organizationId }: OfThread) {
  const { annotationId, comments, commentsCount, commentsTruncated } = thread
  const [wantsAll, setWantsAll] = useState(false)
  const { data = [] } = useRead(['reactions', organizationId, annotationId], async (api, options) => {
    const { data: reactions } = await api.reactions.getReactions({ organizationId, annotationId }, options)
    return reactions
  })
  const reactionsTo = (id: number | null) =>
    data
      .filter(({ commentId }) => commentId === id)
      .map(({ annotationId: key, icon, fromUsers }) => (
        <Badge key={key}>
          {icon} {fromUsers.map(({ from }) => whoIs(from)).join(', ')}
        </Badge>
      ))
  const list = (shown: Comment[]) => (
    <ol className="plain">
      {shown.map((comment) => (
        <li key={comment.commentId} className="judgment">
          <Said comment={comment} />
          <div className="verdict">
            {reactionsTo(comment.commentId)}
            <CommentActions thread={thread} organizationId={organizationId} comment={comment} />
          </div>
        </li>
      ))}
    </ol>
  )
  return (
    <>
      {data.some(({ commentId }) => commentId === null) && <p className="verdict">{reactionsTo(null)}</p>}
      {wantsAll && <AllComments thread={thread} organizationId={organizationId} list={list} />}
      {!wantsAll && list(commentsTruncated ? comments.slice(0, 1) : comments)}
      {!wantsAll && commentsTruncated && (
        <>
          <p className="verdict">
            {t.threads.truncated(numberText(comments.length), numberText(commentsCount))}
            <Button press={() => setWantsAll(true)}>{t.threads.fromTheFirst}</Button>
          </p>
          {list(comments.slice(1))}
        </>
      )}
    </>
  )
}

/** Every comment from the first one on, a page at a time. */
function AllComments({ thread, organizationId, list }: OfThread & { list: (shown: Comment[]) => ReactNode }) {
  const place = { organizationId, documentId: documentOf(thread), annotationId: thread.annotationId }
  const query = useReadPages(['comments', place], async (api, token, options) => {
    const { data, nextPageToken } = await api.comments.getComments({ ...place, pageSize: PAGE_SIZE, ...token }, options)
    return { rows: data.filter((each) => each !== null), next: nextPageToken }
  })
  return (
    <Loaded query={query}>
      {() => (
        <>
          {list(query.rows)}
          <More query={query} />
        </>
      )}
    </Loaded>
  )
}

function Said({ comment }: { comment: Comment }) {
  const { from, agent, createdAt, isEdited, attachments } = comment
  return (
    <>
      <p>
        <strong>{whoIs(from)}</strong> {agent && <Badge>{agent.agentName ?? t.memory.agent}</Badge>} ·{' '}
        {timeText(createdAt)} {isEdited && <span className="muted">{t.threads.edited}</span>}
      </p>
      <Folded text={textOf(comment) || t.threads.noText} />
      {attachments.length > 0 && (
        <p className="muted">
          {t.threads.attached} <Attached files={attachments} />
        </p>
      )}
    </>
  )
}
