import { withFields } from '../../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { MadeLate } from '../../../platform/operation.ts'
import { type PackedComment, readInlineComments, unpacked } from '../comment/read-inline-comments.ts'
import type { AnnotationRecord } from './annotation.ts'
import type { Participant } from './participant.ts'
import { readParticipants } from './read-participants.ts'
import type { PagedThread } from './read-thread-page.ts'
import type { ShownThread } from './shown-thread.ts'
import { toAnnotation, toThread } from './thread.ts'
import { readReactions, type ThreadReaction } from './thread-reactions.ts'

interface Place {
  organizationKey: string
  organizationId: string
}

interface Stored {
  row: PagedThread
  comments: PackedComment[]
  participants: Participant[]
  reactions: ThreadReaction[]
}

/**
 * Reads what the threads of a page show, in three statements. Each thread is made when it is written; until then its
 * texts are kept as they are stored. With `shown`, a condition over `comment_annotation a`, each statement reads only
 * of threads that meet it by then, and a thread that does not any more is left out: it may have been hidden, and a
 * comment of it edited, since the page was chosen.
 */
export async function readLateThreads(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationKey, organizationId }: Place,
  page: PagedThread[],
  shown?: Sql,
): Promise<LateThread[]> {
  if (page.length === 0) return []
  const all = page.map(({ key }) => key)
  const left = shown && shownAmong(all, tenant, organizationKey, shown)
  const keys = left ?? all
  const inline = new Map(page.flatMap(({ key, inline }) => (inline ? [[key, inline] as const] : [])))
  const [comments, participants, reactions] = await Promise.all([
    readInlineComments(db, tenant, organizationKey, inline, left),
    readParticipants(db, tenant, organizationKey, keys),
    readReactions(db, tenant, organizationKey, keys),
  ])
  const place = { apiKey: tenant.apiKey, organizationId }
  const threads = left ? page.filter(({ key, inline }) => inline === null || comments.has(key)) : page
  return threads.map(
    (row) =>
      new LateThread(place, {
        row,
        comments: comments.get(row.key) ?? [],
        participants: participants.get(row.key) ?? [],
        reactions: reactions.get(row.key) ?? [],
      }),
  )
}

/** SQL: the keys of those threads that meet a condition over `comment_annotation a`. */
const shownAmong = (keys: string[], { apiKey }: ApiKeyTenant, organizationKey: string, shown: Sql): Sql => sql`
  array(
    select a.key
    from comment_annotation a
    where a.api_key = ${apiKey} and a.organization_key = ${organizationKey}
      and a.key = any(${keys}::uuid[]) and ${shown}
  )`

/** A thread of an answer. */
class LateThread extends MadeLate<ShownThread> {
  readonly #place: { apiKey: string; organizationId: string }
  readonly #stored: Stored

  constructor(place: { apiKey: string; organizationId: string }, stored: Stored) {
    super()
    this.#place = place
    this.#stored = stored
  }

  get documentId(): string {
    return this.#stored.row.documentId
  }

  get estimatedBytes(): number {
    const { row, comments, participants } = this.#stored
    const ofComments = comments.reduce((sum, { record }) => sum + record.length + COMMENT_BYTES, 0)
    return THREAD_BYTES + row.record.length + ofComments + participants.length * PARTICIPANT_BYTES
  }

  toJSON(): ShownThread {
    const { row, comments, participants, reactions } = this.#stored
    const { documentId, commentsCount, inlineCount, newestAt } = row
    const thread = toThread(
      { ...row, record: JSON.parse(row.record) as AnnotationRecord },
      { comments: { rows: comments.map(unpacked), commentsCount, newestAt }, participants, reactions },
    )
    const annotation = toAnnotation(thread, { documentId, ...this.#place })
    return inlineCount < commentsCount ? withFields(annotation, { commentsTruncated: true }) : annotation
  }
}

/** About what a thread takes as JSON besides its record, a comment besides its record, and a participant. */
const [THREAD_BYTES, COMMENT_BYTES, PARTICIPANT_BYTES] = [500, 120, 350]
