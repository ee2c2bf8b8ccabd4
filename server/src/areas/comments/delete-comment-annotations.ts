import { resultsOf } from '../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, type Sql, sql, together } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, type Static, Type, text } from '../../platform/schema.ts'
import { NOT_OWN, rightToChange, verifyChangeInput, verifyChangeIssues } from '../permissions/access/change-right.ts'
import { commentChanged } from './change/comment-event.ts'
import { triggerInput } from './comment/comment-input.ts'
import { lookUpPeople, Person } from './comment/person.ts'
import { deleteThreads } from './delete-threads.ts'
import { findPlace, lockPlaces, type Place, placeInput } from './thread/place.ts'
import { shownToVerified } from './thread/shown-to.ts'
import { lockThreadBatches } from './thread/thread-batches.ts'
import { commonFilter, conditionOf } from './thread/thread-filter.ts'

const Input = Type.Object({
  organizationId: Type.Optional(
    identifier('Id of the organization. Omitted: every organization of the API key; then `annotationIds` is required.'),
  ),
  documentId: placeInput.documentId,
  ...commonFilter,
  agentId: Type.Optional(identifier('Id of the agent that started threads.')),
  agentSuggestions: Type.Optional(Type.Boolean({ description: 'True: suggestions of agents.' })),
  agentUrls: Type.Optional(Type.Array(text('A page that an agent reviewed.'))),
  actionUser: Type.Optional(Person),
  ...verifyChangeInput,
  ...triggerInput,
})
type Input = Static<typeof Input>

/** Deletes the threads of a document that match every filter, with their comments and reactions. */
export const deleteCommentAnnotations = operation({
  path: '/v2/commentannotations/delete',
  twin: '/v1/commentannotations/delete',
  auth: 'apiKey',
  access: 'write',
  summary: 'Delete comment annotations',
  input: Input,
  example: {
    organizationId: 'example',
    documentId: 'landing-page',
    annotationIds: ['headline-length'],
    actionUser: { userId: 'nadia', name: 'Nadia Quist' },
  },
  output: mapOf(itemResult({ id: Type.String() }), 'One result per annotation id.'),
  errors: ['FAILED_PRECONDITION'],
  message: 'Comment Annotation(s) deleted successfully.',
  check: (input) => [
    ...(input.organizationId === undefined && input.annotationIds === undefined
      ? [{ path: 'annotationIds', message: 'is required without organizationId' }]
      : []),
    ...verifyChangeIssues(input),
  ],
}).run(async ({ db, tenant, input, emit }) => {
  const { actionUser } = input
  const [people, { places, most }] = await together([
    lookUpPeople(db, tenant, actionUser ? [actionUser.userId] : []),
    placesOf(db, tenant, input),
    emit.ahead(commentChanged),
  ])
  const actor = actionUser ? people.complete(actionUser) : null
  const [deleted, matched] = [new Set<string>(), new Set<string>()]
  const counted = { threads: 0, bytes: 0 }
  for (const place of places) {
    const mayChange = await rightToChange(db, tenant, place, input)
    const shown = shownToVerified(tenant.apiKey, place, input)
    const condition = sql`${matching(tenant, place, input)} and ${shown}`
    const selection = { condition, wanted: { commentIds: [] }, counted }
    for await (const { threads, total } of lockThreadBatches(db, tenant, place.organizationKey, selection)) {
      const gone = threads.filter(({ record }) => mayChange(record.from?.userId))
      const context = { tenant, emit, actor, triggers: input, total: Math.max(total, most) }
      await deleteThreads(db, context, [{ place, threads: gone }])
      for (const { id } of threads) matched.add(id)
      for (const { id } of gone) deleted.add(id)
    }
  }
  return resultsOf(new Set([...(input.annotationIds ?? []), ...matched]), (id) => {
    if (deleted.has(id)) return { success: true, id, message: 'Deleted Successfully' }
    return { success: false, id, message: matched.has(id) ? NOT_OWN : 'Annotation not found.' }
  })
})

/**
 * The document in the named organization, or in every organization of the API key with one of the annotations, in the
 * order of keys; and how many annotations these have at most.
 */
async function placesOf(
  db: Db,
  tenant: ApiKeyTenant,
  { organizationId, documentId, annotationIds = [] }: Input,
): Promise<{ places: Place[]; most: number }> {
  if (organizationId !== undefined) {
    const place = await findPlace(db, tenant, { organizationId, documentId })
    return { places: place ? [place] : [], most: 0 }
  }
  const organizations = await db.query<{ id: string; count: number }>(sql`
    select o.id, a.count
    from document d
    join organization o on o.api_key = ${tenant.apiKey} and o.key = d.organization_key
    cross join lateral (
      select count(*) as count
      from comment_annotation
      where api_key = ${tenant.apiKey} and organization_key = d.organization_key
        and key = any(${annotationIds.map(keyOf)}::uuid[])
    ) a
    where d.api_key = ${tenant.apiKey} and d.key::text = ${keyOf(documentId)} and o.retired_at is null and a.count > 0
    order by o.key`)
  const places: Place[] = []
  for (const { id } of organizations) places.push(...(await lockPlaces(db, tenant, id, [keyOf(documentId)])))
  return { places, most: organizations.reduce((sum, { count }) => sum + count, 0) }
}

function matching(tenant: ApiKeyTenant, place: Place, input: Input): Sql {
  const { organizationId: _, agentUrls, ...filter } = input
  const condition = conditionOf(tenant.apiKey, place.organizationKey, filter)
  if (!agentUrls) return condition
  return sql`${condition} and a.agent_key is not null and a.record #>> '{agent,url}' = any(${agentUrls}::text[])`
}
