import { lastById, resultsOf } from '../../platform/bulk.ts'
import { together } from '../../platform/db/db.ts'
import { ApiError, invalidField } from '../../platform/errors.ts'
import { keyOf, randomId } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import {
  bytesOf,
  CHANGE_BYTES,
  CHANGE_BYTES_TEXT,
  oversized,
  oversizedItems,
  SIZE_LIMIT,
} from '../../platform/record-size.ts'
import { anyObject, identifier, itemResult, mapOf, requiredText, Type } from '../../platform/schema.ts'
import { changeBuilder } from '../comments/change/change.ts'
import { commentChanged, emitCommentChanges } from '../comments/change/comment-event.ts'
import { commentId, triggerInput } from '../comments/comment/comment-input.ts'
import { lookUpPeople, Person } from '../comments/comment/person.ts'
import { requireThread } from '../comments/thread/lock-threads.ts'
import { keysOfPlace, placeInput, requirePlace, verifyInput } from '../comments/thread/place.ts'
import { assertShownTo } from '../comments/thread/shown-to.ts'
import { Location } from '../locations/location.ts'
import { deniedUsers } from '../permissions/access/access.ts'
import { insertReactions, takenKeys } from './insert-reactions.ts'
import { assertFewReactions, withReactions } from './with-reactions.ts'

/** Adds reactions to a comment, or to a thread as a whole. A reaction with an existing id stays as it is. */
export const addReactions = operation({
  path: '/v2/reactions/add',
  auth: 'apiKey',
  access: 'write',
  summary: 'Add reactions',
  input: Type.Object({
    ...placeInput,
    annotationId: identifier('Id of the thread.'),
    commentId: Type.Optional(commentId),
    location: Type.Optional(Location),
    ...verifyInput,
    reactions: Type.Array(
      Type.Object(
        {
          reactionId: Type.Optional(
            identifier('Your id of the reaction, by which it is added once; default: a new one each time.'),
          ),
          icon: requiredText('What stands for the reaction.', 256),
          from: Person,
          context: Type.Optional(anyObject('Data of your own.')),
          ...triggerInput,
        },
        { description: `A reaction; ${SIZE_LIMIT}.` },
      ),
    ),
    ...triggerInput,
  }),
  example: {
    organizationId: 'example',
    documentId: 'landing-page',
    annotationId: 'headline-length',
    commentId: 1,
    reactions: [{ reactionId: 'nadia-agrees', icon: '👍', from: { userId: 'nadia', name: 'Nadia Quist' } }],
  },
  output: mapOf(itemResult({ id: Type.String() }), 'One result per reaction id.'),
  errors: ['NOT_FOUND', 'FAILED_PRECONDITION'],
  message: 'Reaction(s) added successfully.',
  check: ({ location = {}, reactions }) => [
    ...oversized('location', location),
    ...oversizedItems('reactions', reactions),
  ],
}).run(async ({ db, tenant, input, emit }) => {
  const identified = input.reactions.map((item) => ({ ...item, id: item.reactionId ?? randomId('re_') }))
  const items = lastById(identified, ({ id }) => id)
  const userIds = [...new Set([...items.values()].map(({ from }) => from.userId))]
  const { organizationKey } = keysOfPlace(tenant, input)
  const named = input.reactions.flatMap(({ reactionId }) => reactionId ?? [])
  const [place, before, taken, people] = await together([
    requirePlace(db, tenant, input),
    requireThread(db, tenant, input, input.commentId === undefined ? [] : [input.commentId]),
    takenKeys(db, tenant, organizationKey, named),
    lookUpPeople(db, tenant, userIds),
    emit.ahead(commentChanged),
  ])
  const target = before.comments.find((comment) => comment.commentId === input.commentId)
  if (input.commentId !== undefined && !target)
    throw new ApiError('NOT_FOUND', `There is no comment ${input.commentId} in the annotation.`)
  const verified = input.verifyUserPermissions ? userIds : []
  await assertShownTo(db, tenant, place, before, verified)
  const denied = new Set(await deniedUsers(db, tenant, { ...place, userIds: verified, action: 'view' }))
  const added = [...items.values()]
    .filter(({ id, from }) => !denied.has(from.userId) && !taken.has(keyOf(id)))
    .map(({ context, ...item }) => ({ ...item, from: people.complete(item.from), ...(context && { context }) }))
  assertFewReactions(before, added.length)
  const location = input.location ?? before.record.location
  // Each reaction holds it.
  if (added.length * bytesOf(location ?? {}) > CHANGE_BYTES) {
    throw invalidField('reactions', `must repeat the location in at most ${CHANGE_BYTES_TEXT} in all`)
  }
  const at = { ...place, annotationKey: before.key, commentId: target?.commentId ?? null, location }
  insertReactions(db, tenant, at, added)
  const ids = new Set(added.map(({ id }) => id))
  const reacted = added.map(({ id }) => ({ id, commentId: at.commentId }))
  const { thread, commentOf } = withReactions(before, reacted)
  const change = changeBuilder(place, tenant.apiKey, input)
  const changes = added.map((item) => {
    const { id, icon, from } = item
    const details = { actor: from, mentioned: [], reaction: { id, icon, from }, ...commentOf(at.commentId) }
    return change(thread, 'comment.reaction_add', details, item)
  })
  await emitCommentChanges({ db, tenant, emit }, changes)
  return resultsOf(items.keys(), (id) => {
    const isDenied = denied.has(items.get(id)?.from.userId ?? '')
    const message = isDenied ? 'The user has no access to the document.' : 'Reaction already exists.'
    return ids.has(id) ? { success: true, id, message: 'Reaction added.' } : { success: false, id, message }
  })
})
