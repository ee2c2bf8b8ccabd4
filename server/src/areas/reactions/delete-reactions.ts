import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, Type } from '../../platform/schema.ts'
import { changesAt } from '../comments/change.ts'
import { emitCommentChanges } from '../comments/comment-event.ts'
import { triggerInput } from '../comments/comment-input.ts'
import { findPlace, type Place, placeInput } from '../comments/place.ts'
import { lockThreads } from '../comments/thread.ts'
import { resultsOf } from '../organizations/bulk.ts'
import type { ReactionRecord } from './reaction.ts'
import { withoutReactions } from './with-reactions.ts'

interface Row {
  id: string
  annotationKey: string
  commentId: number | null
  record: ReactionRecord
}

/** Deletes reactions by their ids. */
export const deleteReactions = operation({
  path: '/v2/reactions/delete',
  auth: 'apiKey',
  access: 'write',
  summary: 'Delete reactions',
  input: Type.Object({
    ...placeInput,
    reactionIds: Type.Array(identifier('Id of a reaction.')),
    ...triggerInput,
  }),
  output: mapOf(itemResult({ id: Type.String() }), 'One result per reaction id.'),
  errors: [],
  message: 'Reaction(s) deleted successfully.',
}).run(async ({ db, tenant, input, emit }) => {
  const place = await findPlace(db, tenant, input)
  const keys = input.reactionIds.map(keyOf)
  const threads = place ? await lockThreadsOf(db, tenant, place, keys) : []
  const rows = place ? await remove(db, tenant, place, keys) : []
  if (place) {
    const change = changesAt(place, tenant.apiKey, input)
    const changes = threads.flatMap((before) => {
      const gone = rows.filter((row) => row.annotationKey === before.key)
      const { thread, commentOf } = withoutReactions(before, gone)
      return gone.map(({ id, commentId, record: { icon, from } }) => {
        const said = { actor: from, mentioned: [], reaction: { id, icon, from }, ...commentOf(commentId) }
        return change(thread, 'comment.reaction_delete', said)
      })
    })
    await emitCommentChanges(emit, tenant.apiKey, changes)
  }
  const deleted = new Set(rows.map(({ id }) => id))
  return resultsOf(new Set(input.reactionIds), (id) =>
    deleted.has(id)
      ? { success: true, id, message: 'Reaction deleted.' }
      : { success: false, id, message: 'Reaction does not exist.' },
  )
})

// Threads before what belongs to them: the order in which a deletion takes them too.
async function lockThreadsOf(db: Db, tenant: ApiKeyTenant, { organizationKey, documentKey }: Place, keys: string[]) {
  const reacted = sql`
    a.key in (
      select annotation_key
      from reaction
      where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and document_key = ${documentKey}
        and key = any(${keys}::uuid[]))`
  return lockThreads(db, tenant, organizationKey, reacted, keys.length)
}

function remove(db: Db, tenant: ApiKeyTenant, { organizationKey, documentKey }: Place, keys: string[]) {
  return db.query<Row>(sql`
    delete from reaction
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and document_key = ${documentKey}
      and key = any(${keys}::uuid[])
    returning id, annotation_key as "annotationKey", comment_id as "commentId", record`)
}
