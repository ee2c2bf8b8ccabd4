import { resultsOf } from '../../platform/bulk.ts'
import { sql } from '../../platform/db/db.ts'
import { ensureStatistics } from '../../platform/db/statistics.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, Type, text } from '../../platform/schema.ts'
import { changesAt } from './change/change.ts'
import { emitCommentChanges } from './change/comment-event.ts'
import { triggerInput } from './thread/comment-input.ts'
import { lookUpPeople, Person } from './thread/person.ts'
import { findPlace, placeInput } from './thread/place.ts'
import { assertFew, lockThreads, MAX_TOUCHED } from './thread/thread.ts'
import { commonFilter, conditionOf } from './thread/thread-filter.ts'

/** Deletes threads with their comments and reactions; all of the document's that every given filter admits. */
export const deleteCommentAnnotations = operation({
  path: '/v2/commentannotations/delete',
  twin: '/v1/commentannotations/delete',
  auth: 'apiKey',
  access: 'write',
  summary: 'Delete comment annotations',
  input: Type.Object({
    ...placeInput,
    ...commonFilter,
    agentId: Type.Optional(identifier('Id of the agent that started threads.')),
    agentSuggestions: Type.Optional(Type.Boolean({ description: 'True: suggestions of agents.' })),
    agentUrls: Type.Optional(Type.Array(text('A page that an agent reviewed.'))),
    actionUser: Type.Optional(Person),
    ...triggerInput,
  }),
  output: mapOf(itemResult({ id: Type.String() }), 'One result per annotation id.'),
  errors: ['FAILED_PRECONDITION'],
  message: 'Comment Annotation(s) deleted successfully.',
}).run(async ({ db, tenant, input, emit }) => {
  const missing = (ids: string[]) => resultsOf(ids, (id) => ({ success: false, id, message: 'Annotation not found.' }))
  const asked = input.annotationIds ?? []
  const place = await findPlace(db, tenant, input)
  if (!place) return missing(asked)
  const { agentUrls } = input
  const url = sql`a.agent_key is not null and a.record #>> '{agent,url}' = any(${agentUrls ?? []}::text[])`
  const matching = conditionOf(tenant.apiKey, place.organizationKey, input)
  const condition = agentUrls ? sql`${matching} and ${url}` : matching
  const threads = await lockThreads(db, tenant, place.organizationKey, condition, MAX_TOUCHED + 1)
  assertFew(threads)
  const people = await lookUpPeople(db, tenant, input.actionUser ? [input.actionUser.userId] : [])
  const actor = input.actionUser ? people.complete(input.actionUser) : null
  const change = changesAt(place, tenant.apiKey, input)
  const changes = threads.map((thread) => change(thread, 'comment_annotation.delete', { actor }))
  await emitCommentChanges(emit, tenant.apiKey, changes)
  await ensureStatistics(db)
  await db.query(sql`
    delete from comment_annotation
    where api_key = ${tenant.apiKey} and organization_key = ${place.organizationKey}
      and key = any(${threads.map(({ key }) => key)}::uuid[])`)
  const deleted = threads.map(({ id }) => [id, { success: true, id, message: 'Deleted Successfully' }] as const)
  return { ...missing(asked), ...Object.fromEntries(deleted) }
})
