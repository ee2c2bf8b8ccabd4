import { resultsOf } from '../../platform/bulk.ts'
import { empty, sql } from '../../platform/db/db.ts'
import { narrowing } from '../../platform/db/narrowing.ts'
import { ApiError, oneGivenIssues } from '../../platform/errors.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, itemResult, mapOf, Type } from '../../platform/schema.ts'
import { readService } from '../workspaces/setting/service-config.ts'
import { decisionsWithdrawn } from './activity-event.ts'
import { activityService } from './activity-service.ts'
import { appendEntries, findAndLockLog } from './log/log.ts'
import { findVersions, nextVersion } from './version.ts'

const MAX_DELETED = 10_000
const FILTERS = ['documentId', 'targetEntityId', 'activityIds'] as const
const FAILED = 'Failed to delete activity.'

/** Deletes the records that match every filter. Their earlier versions stay in the history of the log. */
export const deleteActivities = operation({
  path: '/v2/activities/delete',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: 'Delete activities',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    documentId: Type.Optional(identifier('Only activities of this document.')),
    targetEntityId: Type.Optional(identifier('Only activities on this entity.')),
    activityIds: Type.Optional(Type.Array(identifier('Id of an activity.'))),
  }),
  example: { organizationId: 'example', activityIds: ['published-1'] },
  output: mapOf(itemResult(), 'One result per activity id.'),
  errors: ['FAILED_PRECONDITION'],
  message: 'Activity(s) deleted successfully.',
  check: (input) => oneGivenIssues(input, FILTERS),
}).run(async ({ db, tenant, input, secrets, emit }) => {
  const { organizationId, documentId, targetEntityId, activityIds } = input
  const asked = new Set(activityIds)
  const refused = (ids: Iterable<string>, why: string) =>
    resultsOf(ids, () => ({ success: false, message: `${FAILED} ${why}` }))
  const log = await findAndLockLog({ db, tenant, secrets }, organizationId)
  if (!log) return refused(asked, 'There is no such activity.')
  const narrowed = narrowing(activityIds)
  const condition = sql`true
    ${documentId === undefined ? empty : sql`and ${narrowed(sql`document_key = ${keyOf(documentId)}`)}`}
    ${targetEntityId === undefined ? empty : sql`and ${narrowed(sql`target_key = ${keyOf(targetEntityId)}`)}`}
    ${activityIds === undefined ? empty : sql`and activity_key = any(${[...asked].map(keyOf)}::uuid[])`}`
  const versions = await findVersions(db, tenant, log.organization.key, { condition, limit: MAX_DELETED + 1 })
  if (versions.length > MAX_DELETED) {
    throw new ApiError('FAILED_PRECONDITION', `More than ${MAX_DELETED} activities meet the filters; narrow them.`)
  }
  const ids = versions.map(({ id }) => id)
  const { config } = await readService(db, tenant, secrets, activityService)
  if (config.immutable) return refused(new Set([...asked, ...ids]), 'The activity log is immutable.')
  const drafts = versions.map((version) => nextVersion('delete', version, { record: {}, actor: null, content: null }))
  await appendEntries({ db, tenant, secrets }, log, drafts)
  const organizationKey = log.organization.key
  await emit(
    decisionsWithdrawn,
    ids.map((activityId) => ({ organizationKey, activityId })),
  )
  const deleted = new Set(ids)
  return resultsOf(new Set([...asked, ...ids]), (id) =>
    deleted.has(id)
      ? { success: true, message: 'Activity deleted.' }
      : { success: false, message: `${FAILED} There is no such activity.` },
  )
})
