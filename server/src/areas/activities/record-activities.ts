import { lastById, withFields } from '../../platform/bulk.ts'
import { sql } from '../../platform/db/db.ts'
import { keyOf, newActivityId } from '../../platform/id.ts'
import { type ActivityInput, partsOf } from './activity.ts'
import type { Organization, WrittenEntry } from './log/entry.ts'
import { appendEntries, type LogWriting, lockLog } from './log/log.ts'
import { findVersions, nextVersion } from './version.ts'

/** A record to write, and its document. */
export interface NewActivity {
  documentId: string
  activity: ActivityInput
}

/**
 * Writes records to the log of an organization, in six statements for any number of records. The transaction must
 * protect the organization from deletion. A record with an existing id is overwritten and keeps its place in time. The
 * last record of a repeated id wins.
 */
export async function recordActivities(
  context: LogWriting,
  organization: Organization,
  activities: NewActivity[],
): Promise<WrittenEntry[]> {
  if (activities.length === 0) return []
  const identified = activities.map((each) => withFields(each, { id: each.activity.id ?? newActivityId() }))
  const distinct = lastById(identified, ({ id }) => id)
  const log = await lockLog(context, organization)
  const given = activities.flatMap(({ activity: { id } }) => (id === undefined ? [] : [keyOf(id)]))
  const condition = sql`activity_key = any(${given}::uuid[])`
  const { db, tenant } = context
  const page = { condition, limit: given.length }
  const versions = given.length > 0 ? await findVersions(db, tenant, organization.key, page) : []
  const existing = new Map(versions.map((version) => [version.id, version]))
  const drafts = [...distinct.values()].map(({ id, documentId, activity }) => {
    const parts = partsOf(activity)
    const before = existing.get(id)
    if (before) return nextVersion('overwrite', { ...before, documentId }, parts)
    return { kind: 'add' as const, id, documentId, replaces: null, ...parts }
  })
  return appendEntries(context, log, drafts)
}
