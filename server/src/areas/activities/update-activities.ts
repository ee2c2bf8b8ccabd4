import { lastById, resultsOf } from '../../platform/bulk.ts'
import { sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { OUTGROWN, outgrows, oversizedItems, SIZE_LIMIT } from '../../platform/record-size.ts'
import { identifier, itemResult, mapOf, REFUSES_NULL, Type } from '../../platform/schema.ts'
import { readService } from '../workspaces/setting/service-config.ts'
import { applyChange, clearableFields } from './activity.ts'
import { emitDecisions } from './activity-event.ts'
import { activityService } from './activity-service.ts'
import { templateIssues } from './display-message.ts'
import { appendEntries, findAndLockLog } from './log/log.ts'
import { findVersions, nextVersion } from './version.ts'

const FAILED = 'Failed to update activity.'

/** Updates records; fields that an item omits stay. The earlier versions stay in the history of the log. */
export const updateActivities = operation({
  path: '/v2/activities/update',
  auth: 'apiKey',
  access: 'write',
  summary: 'Update activities',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    activities: Type.Array(
      Type.Object(
        { id: identifier('Id of the activity.'), ...clearableFields },
        { ...REFUSES_NULL, description: `A change; ${SIZE_LIMIT}, as is the record afterwards. Null clears a field.` },
      ),
    ),
  }),
  example: {
    organizationId: 'example',
    activities: [{ id: 'published-1', displayMessageTemplateData: { version: '3.1' } }],
  },
  output: mapOf(itemResult(), 'One result per activity id.'),
  errors: [],
  message: 'Activity(s) updated successfully.',
  check: ({ activities }) => [...oversizedItems('activities', activities), ...templateIssues(activities)],
}).run(async ({ db, tenant, input, secrets, emit }) => {
  const changes = lastById(input.activities, ({ id }) => id)
  const { config } = await readService(db, tenant, secrets, activityService)
  const allFailed = (why: string) => resultsOf(changes.keys(), () => ({ success: false, message: `${FAILED} ${why}` }))
  if (config.immutable) return allFailed('The activity log is immutable.')
  const log = await findAndLockLog({ db, tenant, secrets }, input.organizationId)
  if (!log) return allFailed('There is no such activity.')
  const keys = [...changes.keys()].map(keyOf)
  const condition = sql`activity_key = any(${keys}::uuid[])`
  const versions = await findVersions(db, tenant, log.organization.key, { condition, limit: keys.length })
  const byId = new Map(versions.map((version) => [version.id, version]))
  const grown = new Set<string>()
  const drafts = [...changes].flatMap(([id, change]) => {
    const version = byId.get(id)
    if (!version) return []
    const next = applyChange(version, change)
    if (!outgrows(version.content, next.content)) return [nextVersion('update', version, next)]
    grown.add(id)
    return []
  })
  const written = await appendEntries({ db, tenant, secrets }, log, drafts)
  await emitDecisions(emit, log.organization, written)
  return resultsOf(changes.keys(), (id) => {
    if (grown.has(id)) return { success: false, message: `${FAILED} ${OUTGROWN}` }
    return byId.has(id)
      ? { success: true, message: 'Activity updated.' }
      : { success: false, message: `${FAILED} There is no such activity.` }
  })
})
