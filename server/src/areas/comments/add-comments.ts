import { databaseTime, together } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { assertMayAccess } from '../permissions/access/access.ts'
import { changeBuilder } from './change/change.ts'
import { commentChanged, emitCommentChanges } from './change/comment-event.ts'
import { insertComments } from './comment/comment.ts'
import { CommentInput, commentId, commentUserIds, triggerInput } from './comment/comment-input.ts'
import { commentIssues, commentsAt } from './comment/comment-limits.ts'
import { withFreeIds } from './comment/free-ids.ts'
import { lookUpPeople } from './comment/person.ts'
import { requireThread } from './thread/lock-threads.ts'
import { newComments } from './thread/new-thread.ts'
import { newestCommentAt, participantsOf, withUnseen } from './thread/participant.ts'
import { keysOfPlace, placeInput, requirePlace, verifyInput } from './thread/place.ts'
import { saveThreads } from './thread/save-threads.ts'
import { assertShownTo } from './thread/shown-to.ts'

/**
 * Adds comments to a thread and returns their ids. A comment with an existing id stays as it is, and its id is omitted.
 */
export const addComments = operation({
  path: '/v2/commentannotations/comments/add',
  twin: '/v1/commentannotations/comments/add',
  auth: 'apiKey',
  access: 'write',
  summary: 'Add comments',
  description: 'A comment whose id the thread already has stays as it is, and its id is left out of the answer.',
  input: Type.Object({
    ...placeInput,
    annotationId: identifier('Id of the thread.'),
    ...verifyInput,
    commentData: Type.Array(CommentInput),
    ...triggerInput,
  }),
  example: {
    organizationId: 'example',
    documentId: 'landing-page',
    annotationId: 'headline-length',
    commentData: [{ commentId: 2, commentText: 'It is one line now.', from: { userId: 'iris', name: 'Iris Holm' } }],
  },
  output: Type.Array(commentId, { description: 'The ids of the comments that were added.' }),
  errors: ['NOT_FOUND', 'FAILED_PRECONDITION'],
  message: 'Comment(s) added successfully.',
  check: ({ commentData }) => commentIssues(commentsAt('commentData', commentData)),
}).run(async ({ db, tenant, input, emit }) => {
  const { commentData } = input
  const [place, before, free, people, now] = await together([
    requirePlace(db, tenant, input),
    requireThread(db, tenant, input),
    withFreeIds(db, tenant, { ...keysOfPlace(tenant, input), annotationKey: keyOf(input.annotationId) }, commentData),
    lookUpPeople(db, tenant, commentData.flatMap(commentUserIds)),
    databaseTime(db),
    emit.ahead(commentChanged),
  ])
  if (input.verifyUserPermissions) {
    const userIds = [...new Set(commentData.map(({ from }) => from.userId))]
    await assertMayAccess(db, tenant, { ...place, userIds, action: 'view' })
    await assertShownTo(db, tenant, place, before, userIds)
  }
  const added = newComments(free, people, now)
  if (added.length === 0) return []

  const news = added.map(({ comment }) => comment)
  const comments = [...before.comments, ...news]
  const updatedAt = Math.max(now, before.updatedAt)
  const newestAt = newestCommentAt(news, before.newestAt)
  const participants = withUnseen(participantsOf(before, news), newestAt, news)
  const commentsCount = before.commentsCount + news.length
  const thread = { ...before, comments, commentsCount, newestAt, updatedAt, participants }
  const rows = added.map(({ comment }) => ({ annotationKey: thread.key, comment }))
  insertComments(db, tenant, place.organizationKey, rows)
  saveThreads(db, tenant, place.organizationKey, [thread])
  const change = changeBuilder(place, tenant.apiKey, input)
  const changes = added.map(({ comment, sent }) =>
    change(thread, 'comment.add', { actor: comment.from, comment }, sent),
  )
  await emitCommentChanges({ db, tenant, emit }, changes)
  return added.map(({ comment }) => comment.commentId)
})
