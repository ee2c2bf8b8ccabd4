import { groupBy, resultsOf } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, empty, sql, together } from '../../platform/db/db.ts'
import { besides } from '../../platform/db/narrowing.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, type Static, Type } from '../../platform/schema.ts'
import { type CommentChange, changeBuilder } from '../comments/change/change.ts'
import { commentChanged, emitCommentChanges } from '../comments/change/comment-event.ts'
import { triggerInput } from '../comments/comment/comment-input.ts'
import { lookUpPeople, Person } from '../comments/comment/person.ts'
import { FEW_COMMENTS } from '../comments/comment/read-comments.ts'
import { lockPlaces, requirePlace, withLatePlaces } from '../comments/thread/place.ts'
import { isOfShownThread } from '../comments/thread/shown-to.ts'
import type { Thread } from '../comments/thread/thread.ts'
import { lockThreadsThat, readThreadBatches } from '../comments/thread/thread-batches.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import { NOT_OWN, rightToChange, verifyChangeInput, verifyChangeIssues } from '../permissions/access/change-right.ts'
import type { ReactionRecord } from './reaction.ts'

interface Row {
  id: string
  documentKey: string
  annotationKey: string
  commentId: number | null
  record: ReactionRecord
}

const Input = Type.Object({
  organizationId: identifier('Id of the organization.'),
  documentId: Type.Optional(identifier('Only reactions in this document; required with `verifyUserPermissions`.')),
  reactionIds: Type.Array(identifier('Id of a reaction.')),
  actionUser: Type.Optional(Person),
  ...verifyChangeInput,
  ...triggerInput,
})

/** Deletes reactions by their ids, which are unique in an organization. */
export const deleteReactions = operation({
  path: '/v2/reactions/delete',
  auth: 'apiKey',
  access: 'write',
  summary: 'Delete reactions',
  input: Input,
  example: { organizationId: 'example', documentId: 'landing-page', reactionIds: ['nadia-agrees'] },
  output: mapOf(itemResult({ id: Type.String() }), 'One result per reaction id.'),
  errors: ['NOT_FOUND', 'FAILED_PRECONDITION'],
  check: (input) => [
    ...verifyChangeIssues(input),
    ...(input.verifyUserPermissions && input.documentId === undefined
      ? [{ path: 'documentId', message: 'is required when verifyUserPermissions is true' }]
      : []),
  ],
  message: 'Reaction(s) deleted successfully.',
}).run(async ({ db, tenant, input, emit }) => {
  const { organizationId, documentId, reactionIds, actionUser } = input
  const organizationKey = organizationKeyOf(tenant, organizationId)
  const onlyOf = await onlyAuthor(db, tenant, input)
  const meant = sql`
    organization_key = ${organizationKey} and key = any(${reactionIds.map(keyOf)}::uuid[])
      ${documentId === undefined ? empty : sql`and ${besides(sql`document_key = ${keyOf(documentId)}`)}`}
      ${onlyOf === undefined ? empty : sql`and ${besides(sql`from_key = ${keyOf(onlyOf)}`)}`}
      and ${isOfShownThread(tenant.apiKey, { organizationId, organizationKey }, sql`reaction.annotation_key`, input)}`
  // Documents are locked before threads and these before their reactions, in the same order as deletions of threads.
  const reacted = sql`a.key in (select annotation_key from reaction where api_key = ${tenant.apiKey} and ${meant})`
  const documentKeys = sql`array(select document_key from reaction where api_key = ${tenant.apiKey} and ${meant})`
  const [locked, , rows, people] = await together([
    lockPlaces(db, tenant, organizationId, documentKeys),
    lockThreadsThat(db, tenant, organizationKey, reacted),
    // Behind the locks. The threads are read after it, as they are without these reactions.
    db.query<Row>(sql`
      delete from reaction
      where api_key = ${tenant.apiKey} and ${meant}
      returning id, document_key as "documentKey", annotation_key as "annotationKey", comment_id as "commentId", record`),
    lookUpPeople(db, tenant, actionUser ? [actionUser.userId] : []),
    emit.ahead(commentChanged),
  ])
  const places = await withLatePlaces(db, tenant, organizationId, locked, rows)
  const changeIn = new Map(places.map((place) => [place.documentKey, changeBuilder(place, tenant.apiKey, input)]))

  function changesOf(thread: Thread, gone: Row[]): CommentChange[] {
    const change = changeIn.get(gone[0]?.documentKey ?? '')
    if (!change) return []
    const comments = new Map(thread.comments.map((comment) => [comment.commentId, comment]))
    return gone.map(({ id, commentId, record: { icon, from } }) => {
      const actor = actionUser ? people.complete(actionUser) : from
      const comment = commentId === null ? undefined : comments.get(commentId)
      const details = { actor, mentioned: [], reaction: { id, icon, from }, ...(comment && { comment }) }
      return change(thread, 'comment.reaction_delete', details)
    })
  }

  // Those of a thread are told together, as far as their comments are read whole at a time.
  const inOrder = [...groupBy(rows, ({ annotationKey }) => annotationKey).values()].flat()
  for (let start = 0; start < inOrder.length; start += FEW_COMMENTS) {
    const few = inOrder.slice(start, start + FEW_COMMENTS)
    const byThread = groupBy(few, ({ annotationKey }) => annotationKey)
    const reading = { wanted: { commentIds: few.flatMap(({ commentId }) => commentId ?? []) } }
    for await (const threads of readThreadBatches(db, tenant, organizationKey, [...byThread.keys()], reading)) {
      const changes = threads.flatMap((thread) => changesOf(thread, byThread.get(thread.key) ?? []))
      await emitCommentChanges({ db, tenant, emit }, changes, rows.length)
    }
  }

  const deleted = new Set(rows.map(({ id }) => id))
  const missing = `Reaction does not exist.${onlyOf === undefined ? '' : ` ${NOT_OWN}`}`
  return resultsOf(new Set(reactionIds), (id) =>
    deleted.has(id) ? { success: true, id, message: 'Reaction deleted.' } : { success: false, id, message: missing },
  )
})

/** The user whose reactions alone may be deleted: a viewer that is verified. Undefined: those of all. */
async function onlyAuthor(db: Db, tenant: ApiKeyTenant, input: Static<typeof Input>): Promise<string | undefined> {
  const { organizationId, documentId, actionUser, verifyUserPermissions } = input
  if (!verifyUserPermissions || documentId === undefined) return undefined
  const place = await requirePlace(db, tenant, { organizationId, documentId })
  const mayChange = await rightToChange(db, tenant, place, input)
  return mayChange(undefined) ? undefined : actionUser?.userId
}
