import { resultsOf } from '../../platform/bulk.ts'
import { databaseTime, sql, together } from '../../platform/db/db.ts'
import { type Issue, oneGivenIssues } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { bytesOf, OUTGROWN, oversized } from '../../platform/record-size.ts'
import { itemResult, mapOf, type Static, Type } from '../../platform/schema.ts'
import { NOT_OWN, rightToChange, verifyChangeInput, verifyChangeIssues } from '../permissions/access/change-right.ts'
import { withoutRemoved } from '../permissions/access/removed-user.ts'
import { subscriptionInput } from './change/apply-subscriptions.ts'
import { actorOf, commentsFor, isOutgrown, ownerOf, updater, userIdsIn } from './change/apply-update.ts'
import { changeBuilder } from './change/change.ts'
import { commentChanged, emitCommentChanges } from './change/comment-event.ts'
import { emitContexts } from './change/context-changed.ts'
import { emitMoves } from './change/threads-moved.ts'
import { triggerInput } from './comment/comment-input.ts'
import { emptyUpdateIssues } from './comment/comment-limits.ts'
import { lookUpPeople, Person } from './comment/person.ts'
import { canDecide, suggestionIssues, UpdatedData } from './thread/patch-record.ts'
import { keysOfPlace, placeInput, requirePlace } from './thread/place.ts'
import { saveReplaced, saveThreads } from './thread/save-threads.ts'
import { shownToVerified } from './thread/shown-to.ts'
import { statusIssues } from './thread/status.ts'
import { lockThreadBatches } from './thread/thread-batches.ts'
import { commonFilter, conditionOf } from './thread/thread-filter.ts'
import { assertVisibility } from './thread/visibility.ts'

const Input = Type.Object({
  ...placeInput,
  ...commonFilter,
  updatedData: Type.Optional(UpdatedData),
  updateUsers: Type.Optional(
    Type.Array(Type.Object({ oldUser: Person, newUser: Person }), { description: 'Users to put in place of others.' }),
  ),
  ...subscriptionInput,
  actionUser: Type.Optional(Person),
  ...verifyChangeInput,
  ...triggerInput,
})
type Input = Static<typeof Input>

const UPDATED = 'Annotations updated successfully'
const CHANGES = ['updatedData', 'updateUsers', 'subscribeUsers', 'unsubscribeUsers', 'viewedByUserIds'] as const

/** Updates the threads of a document that match every filter. Each kind of change emits its own event. */
export const updateCommentAnnotations = operation({
  path: '/v2/commentannotations/update',
  twin: '/v1/commentannotations/update',
  auth: 'apiKey',
  access: 'write',
  summary: 'Update comment annotations',
  input: Input,
  example: {
    organizationId: 'example',
    documentId: 'landing-page',
    annotationIds: ['headline-length'],
    updatedData: { status: { id: 'RESOLVED' }, priority: { id: 'high', name: 'High' } },
    actionUser: { userId: 'nadia', name: 'Nadia Quist' },
  },
  output: mapOf(itemResult({ id: Type.String() }), 'One result per annotation id.'),
  errors: ['NOT_FOUND', 'FAILED_PRECONDITION'],
  message: 'Annotations updated successfully.',
  check: issuesOf,
}).run(async ({ db, tenant, input, emit, secrets }) => {
  const { organizationKey, documentKey } = keysOfPlace(tenant, input)
  const shown = shownToVerified(tenant.apiKey, { organizationKey, ...input }, input)
  const condition = sql`${conditionOf(tenant.apiKey, organizationKey, input)} and ${shown}`
  const sent = input.updatedData ?? {}
  const named = [input.subscribeUsers, input.unsubscribeUsers, input.viewedByUserIds, sent.visibility?.userIds]
  const wanted = commentsFor(input)
  const batches = lockThreadBatches(db, tenant, organizationKey, { condition, wanted, growth: bytesOf(sent), named })
  const [place, mayChange, , first, people, subscribeUsers, now] = await together([
    requirePlace(db, tenant, input),
    rightToChange(db, tenant, { organizationKey, documentKey }, input),
    assertVisibility(db, tenant, secrets, input.updatedData?.visibility),
    batches.next(),
    lookUpPeople(db, tenant, userIdsIn(input)),
    withoutRemoved(db, tenant, organizationKey, input.subscribeUsers ?? []),
    databaseTime(db),
    emit.ahead(commentChanged),
  ])
  const context = { people, now, actor: actorOf(input, people), organizationId: place.organizationId }
  const apply = updater({ ...input, subscribeUsers }, context)
  const outcomes = new Map<string, string>()
  const change = changeBuilder(place, tenant.apiKey, input)
  for (let next = first; !next.done; next = await batches.next()) {
    const own = next.value.threads.filter(({ record }) => mayChange(ownerOf(record, input)))
    const threads = own.filter(({ record }) => canDecide(record, input.updatedData))
    const updated = threads
      .map((before) => ({ before, ...apply(before) }))
      .filter(({ before, thread }) => !isOutgrown(before, thread))
    const after = updated.map(({ thread }) => thread)
    saveThreads(db, tenant, organizationKey, after)
    await emitMoves(emit, organizationKey, updated)
    await emitContexts(emit, organizationKey, updated)
    if (input.updateUsers) saveReplaced(db, tenant, organizationKey, { ...input, threads: after, people })
    const changes = updated.flatMap(({ thread, steps }) => steps.map((step) => change(thread, step.action, step)))
    await emitCommentChanges({ db, tenant, emit }, changes, next.value.total)
    for (const { id } of next.value.threads) outcomes.set(id, NOT_OWN)
    for (const { id } of own) outcomes.set(id, 'Annotation is no suggestion.')
    for (const { id } of threads) outcomes.set(id, OUTGROWN)
    for (const { id } of after) outcomes.set(id, UPDATED)
  }
  return resultsOf([...(input.annotationIds ?? []), ...outcomes.keys()], (id) => {
    const message = outcomes.get(id) ?? 'Annotation not found.'
    return { success: message === UPDATED, id, message }
  })
})

function issuesOf(input: Input): Issue[] {
  return [
    ...verifyChangeIssues(input),
    ...oversized('updatedData', input.updatedData ?? {}),
    ...statusIssues('updatedData.status', input.updatedData?.status),
    ...oneGivenIssues(input, CHANGES),
    ...emptyUpdateIssues(input.updatedData, UpdatedData),
    ...suggestionIssues('updatedData.suggestion', input.updatedData?.suggestion),
  ]
}
