import { resultsOf } from '../../platform/bulk.ts'
import { databaseTime, together } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { OUTGROWN, outgrows } from '../../platform/record-size.ts'
import { identifier, itemResult, mapOf, Type } from '../../platform/schema.ts'
import { NOT_OWN, rightToChange, verifyChangeInput, verifyChangeIssues } from '../permissions/access/change-right.ts'
import { changeBuilder } from './change/change.ts'
import { commentChanged, emitCommentChanges } from './change/comment-event.ts'
import { updateCommentRows } from './comment/comment.ts'
import { commentId, commentUserIds, triggerInput } from './comment/comment-input.ts'
import { commentIssues, emptyUpdateIssues, tooManyBytes } from './comment/comment-limits.ts'
import { changedFields, editComment, limitedFieldsOfComment, UpdatedComment } from './comment/edit-comment.ts'
import { lookUpPeople, Person } from './comment/person.ts'
import { requireThread } from './thread/lock-threads.ts'
import { participantsOf } from './thread/participant.ts'
import { keysOfPlace, placeInput, requirePlace } from './thread/place.ts'
import { readRolesLeft } from './thread/remaining.ts'
import { saveThreads } from './thread/save-threads.ts'
import { assertShownTo } from './thread/shown-to.ts'

/** Updates comments of a thread; omitted fields stay. A comment that does not change is not marked as edited. */
export const updateComments = operation({
  path: '/v2/commentannotations/comments/update',
  twin: '/v1/commentannotations/comments/update',
  auth: 'apiKey',
  access: 'write',
  summary: 'Update comments',
  input: Type.Object({
    ...placeInput,
    annotationId: identifier('Id of the thread.'),
    commentIds: Type.Array(commentId),
    updatedData: UpdatedComment,
    actionUser: Type.Optional(Person),
    ...verifyChangeInput,
    ...triggerInput,
  }),
  example: {
    organizationId: 'example',
    documentId: 'landing-page',
    annotationId: 'headline-length',
    commentIds: [1],
    updatedData: { commentText: 'The headline has two lines on a phone. Can it be one?' },
  },
  output: mapOf(itemResult({ id: commentId }), 'One result per comment id.'),
  errors: ['NOT_FOUND', 'FAILED_PRECONDITION'],
  message: 'Comment(s) updated successfully.',
  check: (input) => [
    ...emptyUpdateIssues(input.updatedData, UpdatedComment),
    ...commentIssues([['updatedData', input.updatedData]]),
    ...verifyChangeIssues(input),
    ...tooManyBytes(input.commentIds, input.updatedData),
  ],
}).run(async ({ db, tenant, input, emit }) => {
  const { updatedData, actionUser } = input
  const named = [...commentUserIds(updatedData), ...(actionUser ? [actionUser.userId] : [])]
  const [place, mayChange, before, people, now] = await together([
    requirePlace(db, tenant, input),
    rightToChange(db, tenant, keysOfPlace(tenant, input), input),
    requireThread(db, tenant, input, input.commentIds),
    lookUpPeople(db, tenant, named),
    databaseTime(db),
    emit.ahead(commentChanged),
  ])
  if (input.verifyUserPermissions && actionUser) await assertShownTo(db, tenant, place, before, [actionUser.userId])
  const asked = new Set(input.commentIds)
  const found = before.comments.filter(({ commentId }) => asked.has(commentId))
  const changed = found
    .filter(({ from }) => mayChange(from.userId))
    .flatMap((old) => {
      const comment = editComment(old, updatedData, people, now)
      return comment ? [{ old, comment }] : []
    })
  const isOutgrown = ({ old, comment }: (typeof changed)[number]) =>
    outgrows(limitedFieldsOfComment(old), limitedFieldsOfComment(comment))
  const outgrown = new Set(changed.filter(isOutgrown).map(({ old }) => old.commentId))
  const edits = changed.filter(({ old }) => !outgrown.has(old.commentId))
  const edited = edits.map(({ comment }) => comment)
  const byId = new Map(edited.map((comment) => [comment.commentId, comment]))

  if (edits.length > 0) {
    const comments = before.comments.map((comment) => byId.get(comment.commentId) ?? comment)
    const rows = edited.map((comment) => ({ annotationKey: before.key, comment }))
    updateCommentRows(db, tenant, place.organizationKey, rows)
    // Without anything to wait for, all that is written travels together.
    const reading = readRolesLeft(db, tenant, { ...place, annotationKey: before.key }, edits)
    const participants = participantsOf(before, edited, reading && (await reading))
    const thread = { ...before, comments, participants, updatedAt: Math.max(now, before.updatedAt) }
    saveThreads(db, tenant, place.organizationKey, [thread])
    const change = changeBuilder(place, tenant.apiKey, input)
    const changes = edits.map(({ old, comment }) => {
      const actor = actionUser ? people.complete(actionUser) : comment.from
      const mentioned = comment.to.filter(({ userId }) => !old.to.some((person) => person.userId === userId))
      return change(thread, 'comment.update', { actor, comment, mentioned, changes: changedFields(old, comment) })
    })
    await emitCommentChanges({ db, tenant, emit }, changes)
  }
  const known = new Map(found.map(({ commentId, from }) => [commentId, from]))
  return resultsOf([...asked].map(String), (key) => {
    const id = Number(key)
    const author = known.get(id)
    if (!author) return { success: false, id, message: 'Not found' }
    if (outgrown.has(id)) return { success: false, id, message: OUTGROWN }
    return mayChange(author.userId)
      ? { success: true, id, message: 'Updated successfully' }
      : { success: false, id, message: NOT_OWN }
  })
})
