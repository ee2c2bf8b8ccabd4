import { lastById, resultsOf } from '../../platform/bulk.ts'
import { databaseTime, together } from '../../platform/db/db.ts'
import { meanwhile } from '../../platform/db/meanwhile.ts'
import { keyOf, randomId } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { itemResult, mapOf, Type } from '../../platform/schema.ts'
import { deniedUsers } from '../permissions/access/access.ts'
import { changeBuilder } from './change/change.ts'
import { commentChanged, emitCommentChanges } from './change/comment-event.ts'
import { insertComments } from './comment/comment.ts'
import { commentId, triggerInput } from './comment/comment-input.ts'
import { assertCommentLimit } from './comment/comment-limits.ts'
import { lookUpPeople } from './comment/person.ts'
import { AnnotationInput, annotationIssues, threadUserIds } from './thread/annotation-input.ts'
import { newThread } from './thread/new-thread.ts'
import { ensurePlace, keysOfPlace, placeOrCreateInput, verifyInput } from './thread/place.ts'
import { authorsOf, mayBePrivate, refusals } from './thread/refused-threads.ts'
import { saveParticipants } from './thread/save-participants.ts'
import { giveBackNumbers, insertThreads, reserveThreads } from './thread/save-threads.ts'

/** Adds comment threads with their first comments. A thread with an existing id stays as it is. */
export const addCommentAnnotations = operation({
  path: '/v2/commentannotations/add',
  twin: '/v1/commentannotations/add',
  auth: 'apiKey',
  access: 'write',
  summary: 'Add comment annotations',
  description:
    'Each is a thread. Its first comment is announced by `comment_annotation.add`, every other by `comment.add`. ' +
    'The threads of one request have at most 1,000 comments in total.',
  input: Type.Object({
    ...placeOrCreateInput,
    ...verifyInput,
    commentAnnotations: Type.Array(AnnotationInput),
    ...triggerInput,
  }),
  example: {
    organizationId: 'example',
    documentId: 'landing-page',
    createDocument: true,
    commentAnnotations: [
      {
        annotationId: 'headline-length',
        location: { id: 'headline', locationName: 'Headline' },
        commentData: [
          {
            commentId: 1,
            commentText: 'The headline has two lines on a phone. Can it be shorter, {{iris}}?',
            from: { userId: 'nadia', name: 'Nadia Quist' },
          },
        ],
      },
    ],
  },
  output: mapOf(
    itemResult({
      annotationId: Type.Optional(Type.String()),
      commentIds: Type.Optional(Type.Array(commentId)),
      findingId: Type.Optional(Type.Unknown({ description: 'What the agent called its finding.' })),
    }),
    'One result per annotation id.',
  ),
  errors: ['NOT_FOUND', 'FAILED_PRECONDITION'],
  message: 'Comment Annotation(s) added successfully.',
  check: ({ commentAnnotations }) => annotationIssues('commentAnnotations', commentAnnotations),
}).run(async ({ db, tenant, input, emit, secrets, config }) => {
  assertCommentLimit(input.commentAnnotations, config.listLimit)
  const identified = input.commentAnnotations.map((item) => ({ ...item, id: item.annotationId ?? randomId('ca_') }))
  const items = lastById(identified, ({ id }) => id)
  const sent = [...items.values()]
  const userIds = input.verifyUserPermissions ? [...new Set(sent.flatMap(authorsOf))] : []
  const reserve = () => reserveThreads(db, tenant, keysOfPlace(tenant, input), sent)
  const [place, reserved, people, now, privateAllowed] = await together([
    ensurePlace(db, tenant, input),
    reserve(),
    lookUpPeople(db, tenant, sent.flatMap(threadUserIds)),
    databaseTime(db),
    mayBePrivate(db, tenant, secrets, sent),
    emit.ahead(commentChanged),
  ])
  // In a document that was created only now, nothing could be reserved before.
  const reservation = reserved ?? (await reserve())
  if (!reservation) throw new Error('A document that is locked is gone.')
  const denied = await deniedUsers(db, tenant, { ...place, userIds, action: 'view' })
  const refused = refusals(sent, privateAllowed, new Set(denied))
  const free = sent.filter(({ id }) => !refused.has(id) && !reservation.takenKeys.has(keyOf(id)))
  const threads = free.map((item, index) => newThread(item, reservation.firstNumber + index, { people, now, ...place }))
  giveBackNumbers(db, tenant, place, sent.length - threads.length)
  const added = new Map(threads.map((thread) => [thread.id, thread]))
  const news = threads.flatMap((thread) => thread.added.map((each) => ({ thread, ...each })))
  const rows = news.map(({ thread: { key }, comment }) => ({ annotationKey: key, comment }))
  const change = changeBuilder(place, tenant.apiKey, input)
  const toChange = ({ thread, comment, sent }: (typeof news)[number]) => {
    const action = comment === thread.comments[0] ? 'comment_annotation.add' : 'comment.add'
    return change(thread, action, { actor: comment.from, comment }, sent)
  }
  insertThreads(db, tenant, place, threads)
  insertComments(db, tenant, place.organizationKey, rows)
  saveParticipants(db, tenant, place.organizationKey, threads)
  await meanwhile(news, () => emitCommentChanges({ db, tenant, emit }, news.map(toChange)))
  return resultsOf(items.keys(), (id) => {
    const thread = added.get(id)
    if (!thread) return { success: false, message: refused.get(id) ?? 'Annotation already exists.' }
    const findingId = thread.record.agent?.reason?.findingId
    const commentIds = thread.comments.map((comment) => comment.commentId)
    const finding = findingId === undefined ? {} : { findingId }
    return { success: true, annotationId: id, commentIds, message: 'Added Successfully', ...finding }
  })
})
