import { resultsOf } from '../../platform/bulk.ts'
import { databaseTime, sql, together } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, Type } from '../../platform/schema.ts'
import { NOT_OWN, rightToChange, verifyChangeInput, verifyChangeIssues } from '../permissions/access/change-right.ts'
import { changeBuilder } from './change/change.ts'
import { commentChanged, emitCommentChanges } from './change/comment-event.ts'
import type { Comment } from './comment/comment.ts'
import { commentId, triggerInput } from './comment/comment-input.ts'
import { lookUpPeople, Person } from './comment/person.ts'
import { deleteThreads } from './delete-threads.ts'
import { lockThread, requireThread } from './thread/lock-threads.ts'
import { participantsOf } from './thread/participant.ts'
import { findPlace, placeInput } from './thread/place.ts'
import { readCommentsLeft, readRolesLeft } from './thread/remaining.ts'
import { saveThreads } from './thread/save-threads.ts'
import { assertShownTo } from './thread/shown-to.ts'

/**
 * Deletes comments of a thread with their reactions; without ids, all of them. A thread without comments is deleted
 * too.
 */
export const deleteComments = operation({
  path: '/v2/commentannotations/comments/delete',
  twin: '/v1/commentannotations/comments/delete',
  auth: 'apiKey',
  access: 'write',
  summary: 'Delete comments',
  description: 'The thread goes with its last comment.',
  input: Type.Object({
    ...placeInput,
    annotationId: identifier('Id of the thread.'),
    commentIds: Type.Optional(Type.Array(commentId, { description: 'Omitted: all.' })),
    actionUser: Type.Optional(Person),
    ...verifyChangeInput,
    ...triggerInput,
  }),
  example: { organizationId: 'example', documentId: 'landing-page', annotationId: 'headline-length', commentIds: [2] },
  output: mapOf(itemResult({ id: commentId }), 'One result per comment id.'),
  errors: ['FAILED_PRECONDITION'],
  check: verifyChangeIssues,
  message: 'Comment(s) deleted successfully.',
}).run(async ({ db, tenant, input, emit }) => {
  const { actionUser } = input
  const [place, stored, people, now] = await together([
    findPlace(db, tenant, input),
    lockThread(db, tenant, input, input.commentIds ? { commentIds: input.commentIds } : { outlines: true }),
    lookUpPeople(db, tenant, actionUser ? [actionUser.userId] : []),
    databaseTime(db),
    emit.ahead(commentChanged),
  ])
  const before = place && stored
  const actor = actionUser ? people.complete(actionUser) : null
  if (before && input.verifyUserPermissions && actionUser)
    await assertShownTo(db, tenant, place, before, [actionUser.userId])
  const idOf = ({ commentId }: Comment) => commentId
  const asked = new Set(input.commentIds ?? before?.comments.map(idOf))
  const mayChange = place ? await rightToChange(db, tenant, place, input) : () => true
  const found = before?.comments.filter((comment) => asked.has(comment.commentId)) ?? []
  const deleted = new Set(found.filter(({ from }) => mayChange(from.userId)).map(idOf))
  if (before && deleted.size > 0 && deleted.size === before.commentsCount) {
    await deleteThreads(db, { tenant, emit, actor, triggers: input }, [{ place, threads: [before] }])
  } else if (before && deleted.size > 0) {
    // Of a viewer who named none, it is known only now which go. Events tell them whole.
    const whole = input.commentIds ? before : await requireThread(db, tenant, input, [...deleted])
    const gone = whole.comments.filter((comment) => deleted.has(idOf(comment)))
    const comments = whole.comments.filter((comment) => !deleted.has(idOf(comment)))
    db.send(sql`
      delete from comment
      where api_key = ${tenant.apiKey} and organization_key = ${place.organizationKey}
        and annotation_key = ${before.key} and id = any(${[...deleted]}::bigint[])`)
    const keys = { ...place, annotationKey: before.key }
    const deletions = gone.map((old) => ({ old }))
    const [roles, left] = await together([
      Promise.resolve(readRolesLeft(db, tenant, keys, deletions)),
      readCommentsLeft(db, tenant, keys),
    ])
    const participants = participantsOf(before, [], roles)
    const thread = { ...before, ...left, comments, participants, updatedAt: Math.max(now, before.updatedAt) }
    saveThreads(db, tenant, place.organizationKey, [thread])
    const change = changeBuilder(place, tenant.apiKey, input)
    const changes = gone.map((comment) => change(thread, 'comment.delete', { actor, comment, mentioned: [] }))
    await emitCommentChanges({ db, tenant, emit }, changes)
  }
  const known = new Set(found.map(idOf))
  return resultsOf([...asked].map(String), (key) => {
    const id = Number(key)
    if (deleted.has(id)) return { success: true, id, message: 'Deleted successfully' }
    return { success: false, id, message: known.has(id) ? NOT_OWN : 'Not found' }
  })
})
