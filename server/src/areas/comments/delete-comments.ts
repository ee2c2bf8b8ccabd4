import { resultsOf } from '../../platform/bulk.ts'
import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, Type } from '../../platform/schema.ts'
import { NOT_OWN, rightToChange, verifyChangeInput, verifyChangeIssues } from '../permissions/change-right.ts'
import { changeBuilder } from './change/change.ts'
import { emitCommentChanges } from './change/comment-event.ts'
import { deleteThreads } from './delete-threads.ts'
import { commentId, triggerInput } from './thread/comment-input.ts'
import { participantsOf } from './thread/participant.ts'
import { lookUpPeople, Person } from './thread/person.ts'
import { databaseTime, findPlace, placeInput } from './thread/place.ts'
import { saveThreads } from './thread/save-threads.ts'
import { assertShownTo } from './thread/shown-to.ts'
import { lockThread } from './thread/thread.ts'

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
  output: mapOf(itemResult({ id: commentId }), 'One result per comment id.'),
  errors: [],
  check: verifyChangeIssues,
  message: 'Comment(s) deleted successfully.',
}).run(async ({ db, tenant, input, emit }) => {
  const { actionUser } = input
  const place = await findPlace(db, tenant, input)
  const before = place && (await lockThread(db, tenant, place, input.annotationId, input.commentIds))
  if (before && input.verifyUserPermissions && actionUser)
    await assertShownTo(db, tenant, place, before, [actionUser.userId])
  const asked = new Set(input.commentIds ?? before?.comments.map((comment) => comment.commentId))
  const mayChange = place ? await rightToChange(db, tenant, place, input) : () => true
  const found = before?.comments.filter((comment) => asked.has(comment.commentId)) ?? []
  const gone = found.filter(({ from }) => mayChange(from.userId))
  if (before && gone.length > 0 && gone.length === before.comments.length) {
    const people = await lookUpPeople(db, tenant, actionUser ? [actionUser.userId] : [])
    const actor = actionUser ? people.complete(actionUser) : null
    await deleteThreads(db, { tenant, emit, actor, triggers: input }, [{ place, threads: [before] }])
  } else if (before && gone.length > 0) {
    const comments = before.comments.filter((comment) => !gone.includes(comment))
    const updatedAt = Math.max(await databaseTime(db), before.updatedAt)
    const thread = { ...before, comments, updatedAt, participants: participantsOf({ ...before, comments }) }
    await db.query(sql`
      delete from comment
      where api_key = ${tenant.apiKey} and organization_key = ${place.organizationKey}
        and annotation_key = ${thread.key} and id = any(${gone.map((comment) => comment.commentId)}::bigint[])`)
    saveThreads(db, tenant, place.organizationKey, [thread])
    const people = await lookUpPeople(db, tenant, actionUser ? [actionUser.userId] : [])
    const actor = actionUser ? people.complete(actionUser) : null
    const change = changeBuilder(place, tenant.apiKey, input)
    const changes = gone.map((comment) => change(thread, 'comment.delete', { actor, comment, mentioned: [] }))
    await emitCommentChanges(emit, tenant.apiKey, changes)
  }
  const deleted = new Set(gone.map((comment) => comment.commentId))
  const kept = new Set(found.map((comment) => comment.commentId))
  return resultsOf([...asked].map(String), (key) => {
    const id = Number(key)
    if (deleted.has(id)) return { success: true, id, message: 'Deleted successfully' }
    return { success: false, id, message: kept.has(id) ? NOT_OWN : 'Not found' }
  })
})
