import { lastById, resultsOf, runsBySize } from '../../platform/bulk.ts'
import { sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import {
  CHANGE_BYTES,
  CHANGE_BYTES_TEXT,
  OUTGROWN,
  outgrows,
  oversizedItems,
  SIZE_LIMIT,
} from '../../platform/record-size.ts'
import { identifier, itemResult, mapOf, REFUSES_NULL, Type } from '../../platform/schema.ts'
import { readService } from '../workspaces/setting/service-config.ts'
import { MAX_PEOPLE } from './abridge-activities.ts'
import { applyChange, clearableFields } from './activity.ts'
import { emitDecisions } from './activity-event.ts'
import { activityService } from './activity-service.ts'
import { templateIssues } from './display-message.ts'
import type { WrittenEntry } from './log/entry.ts'
import { appendEntries, findAndLockLog } from './log/log.ts'
import { userIdsIn } from './log/redact.ts'
import { findVersions, nextVersion, readVersions } from './version.ts'

/** How many characters of JSON are read and written at a time. */
const BATCH_LENGTH = 2 * 1024 * 1024
const FAILED = 'Failed to update activity.'

/**
 * Updates records; fields that an item omits stay. The earlier versions stay in the history of the log. Throws
 * FAILED_PRECONDITION if the records of one call have more than 32 MiB in all, or name more than 100,000 people.
 */
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
  errors: ['FAILED_PRECONDITION'],
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
  const found = await findVersions(db, tenant, log.organization.key, { condition, limit: keys.length })
  requireFew(found)
  const grown = new Set<string>()
  const written: WrittenEntry[] = []
  let people = 0
  for (const run of runsBySize(found, ({ size }) => size, { maxItems: 1_000, maxSize: BATCH_LENGTH })) {
    const positions = run.map(({ position }) => position)
    const versions = await readVersions(db, tenant, log.organization.key, positions)
    const drafts = versions.flatMap((version) => {
      const next = applyChange(version, changes.get(version.id) ?? {})
      if (!outgrows(version.content, next.content)) return [nextVersion('update', version, next)]
      grown.add(version.id)
      return []
    })
    people += drafts.reduce((sum, { actor, content }) => sum + userIdsIn([actor, content]).size, 0)
    if (people > MAX_PEOPLE) throw tooMuch(`name more than ${MAX_PEOPLE} people`)
    written.push(...(await appendEntries({ db, tenant, secrets }, log, drafts)))
  }
  await emitDecisions(emit, log.organization, written)
  const ids = new Set(found.map(({ id }) => id))
  return resultsOf(changes.keys(), (id) => {
    if (grown.has(id)) return { success: false, message: `${FAILED} ${OUTGROWN}` }
    return ids.has(id)
      ? { success: true, message: 'Activity updated.' }
      : { success: false, message: `${FAILED} There is no such activity.` }
  })
})

/** FAILED_PRECONDITION if the records of one call hold more than 32 MiB: each is read, and written again. */
function requireFew(found: { size: number }[]): void {
  const length = found.reduce((sum, { size }) => sum + size, 0)
  if (length > CHANGE_BYTES) throw tooMuch(`have more than ${CHANGE_BYTES_TEXT}`)
}

const tooMuch = (what: string) =>
  new ApiError('FAILED_PRECONDITION', `The activities ${what} in all; update fewer at a time. Nothing was changed.`)
