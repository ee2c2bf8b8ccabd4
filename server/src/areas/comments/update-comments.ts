import { isDeepStrictEqual } from 'node:util'
import { invalidArgument } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, type Static, Type } from '../../platform/schema.ts'
import { resultsOf } from '../organizations/bulk.ts'
import { outgrown, outgrows, SIZE_LIMIT } from '../organizations/record-size.ts'
import { numbered } from './attachment.ts'
import { changesAt } from './change.ts'
import { type Comment, mentionsOf, updateCommentRows } from './comment.ts'
import { emitCommentChanges } from './comment-event.ts'
import { commentId, contentInput, namedBy, triggerInput, withAccessFields } from './comment-input.ts'
import { commentIssues } from './comment-limits.ts'
import { participantsOf } from './participant.ts'
import { lookUpPeople, type People, Person } from './person.ts'
import { databaseTime, placeInput, requirePlace } from './place.ts'
import { requireThread } from './thread.ts'
import { updateThreads } from './write-threads.ts'

const UpdatedData = Type.Object(
  { ...contentInput, from: Type.Optional(Person) },
  { description: `What changes; ${SIZE_LIMIT}, as is each comment afterwards.` },
)
type UpdatedData = Static<typeof UpdatedData>

/** Changes comments of a thread; what the request does not mention stays. */
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
    updatedData: UpdatedData,
    actionUser: Type.Optional(Person),
    ...triggerInput,
  }),
  output: mapOf(itemResult({ id: commentId }), 'One result per comment id.'),
  errors: ['NOT_FOUND'],
  message: 'Comment(s) updated successfully.',
  check: ({ updatedData }) => commentIssues([['updatedData', updatedData]]),
}).run(async ({ db, tenant, input, emit }) => {
  const { updatedData, actionUser } = input
  const place = await requirePlace(db, tenant, input)
  const before = await requireThread(db, tenant, place, input.annotationId)
  const named = [...namedBy(updatedData), ...(actionUser ? [actionUser.userId] : [])]
  const [people, now] = await Promise.all([lookUpPeople(db, tenant, named), databaseTime(db)])
  const asked = new Set(input.commentIds)
  const edits = before.comments.flatMap((old) =>
    asked.has(old.commentId) ? [{ old, comment: edited(old, updatedData, people, now) }] : [],
  )
  if (edits.some(({ old, comment }) => outgrows(contentOf(old), contentOf(comment))))
    throw invalidArgument([outgrown('updatedData')])
  const byId = new Map(edits.map(({ comment }) => [comment.commentId, comment]))

  if (edits.length > 0) {
    const comments = before.comments.map((comment) => byId.get(comment.commentId) ?? comment)
    const updatedAt = Math.max(now, before.updatedAt)
    const thread = { ...before, comments, updatedAt, participants: participantsOf({ ...before, comments }) }
    const rows = edits.map(({ comment }) => ({ annotationKey: thread.key, comment }))
    await updateCommentRows(db, tenant, place.organizationKey, rows)
    await updateThreads(db, tenant, place.organizationKey, [thread])
    const change = changesAt(place, tenant.apiKey, input)
    const changes = edits.map(({ old, comment }) => {
      const actor = actionUser ? people.complete(actionUser) : comment.from
      const mentioned = comment.to.filter(({ userId }) => !old.to.some((person) => person.userId === userId))
      return change(thread, 'comment.update', { actor, comment, mentioned, changes: changesOf(old, comment) })
    })
    await emitCommentChanges(emit, tenant.apiKey, changes)
  }
  return resultsOf([...asked].map(String), (key) => {
    const success = byId.has(Number(key))
    return { success, id: Number(key), message: success ? 'Updated successfully' : 'Not found' }
  })
})

function edited(old: Comment, data: UpdatedData, people: People, now: number): Comment {
  const { commentText, commentHtml, context, from, taggedUserContacts, attachments } = data
  const text = commentText ?? old.commentText
  const isMentioning = taggedUserContacts !== undefined || commentText !== undefined
  const mentions = {
    taggedUserContacts: taggedUserContacts ?? old.taggedUserContacts,
    ...(text !== undefined && { commentText: text }),
  }
  return {
    ...old,
    ...(commentText !== undefined && { commentText }),
    ...(commentHtml !== undefined && { commentHtml }),
    ...(context !== undefined && { context: withAccessFields(context) }),
    ...(attachments !== undefined && { attachments: numbered(attachments) }),
    ...(data.isCommentResolverUsed !== undefined && { isCommentResolverUsed: data.isCommentResolverUsed }),
    isCommentTextAvailable:
      data.isCommentTextAvailable ??
      (old.isCommentTextAvailable || commentText !== undefined || commentHtml !== undefined),
    ...(isMentioning && mentionsOf(mentions, people)),
    ...(from && { from: people.complete(from) }),
    status: 'updated',
    isEdited: true,
    editedAt: now,
    lastUpdated: Math.max(now, old.createdAt),
  }
}

/** What an update adds to: each of its fields is within the limit, and so must they be together. */
const contentOf = ({ commentText: text, commentHtml: html, context, attachments }: Comment) =>
  [text, html, context, attachments] as const

const CHANGEABLE = ['commentText', 'commentHtml', 'context', 'attachments', 'taggedUserContacts', 'from'] as const

const changesOf = (old: Comment, comment: Comment) =>
  Object.fromEntries(
    CHANGEABLE.filter((field) => !isDeepStrictEqual(old[field], comment[field])).map((field) => [
      field,
      { from: old[field] ?? null, to: comment[field] ?? null },
    ]),
  )
