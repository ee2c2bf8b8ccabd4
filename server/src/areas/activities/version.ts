import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, type Sql, sql } from '../../platform/db/db.ts'
import type { ActivityParts } from './activity.ts'
import type { EntryDraft } from './log/entry.ts'

/** Where the current version of a record stands. */
export interface VersionPlace {
  position: number
  origin: number
  id: string
  documentId: string
  timestamp: number
}

/** The current version of a record, which reads return. */
export interface Version extends VersionPlace, ActivityParts {}

const placeColumns = sql`
  position, origin, activity_id as id, coalesce(current_document_id, document_id) as "documentId", "timestamp"`

/** The columns of `activity_entry` that `Version` holds. */
export const versionColumns = sql`${placeColumns}, record, actor, content`

/**
 * The current versions that match a condition on `activity_entry`, in the order of adding, and how many characters of
 * JSON each holds. What they hold is not read: it may be 256 KiB each. The log must be locked.
 */
export const findVersions = (
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  { condition, limit }: { condition: Sql; limit: number },
): Promise<(VersionPlace & { size: number })[]> =>
  db.query<VersionPlace & { size: number }>(sql`
    select ${placeColumns}, size
    from activity_entry
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and current and ${condition}
    order by origin
    limit ${limit}`)

/** The versions at these positions, with what they hold, in the order of adding. */
export const readVersions = (
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  positions: number[],
): Promise<Version[]> =>
  db.query<Version>(sql`
    select ${versionColumns}
    from activity_entry
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey}
      and position = any(${positions}::bigint[])
    order by origin`)

/** The entry that replaces a version of a record. */
export const nextVersion = (kind: EntryDraft['kind'], version: VersionPlace, parts: ActivityParts): EntryDraft => ({
  kind,
  id: version.id,
  documentId: version.documentId,
  replaces: version,
  ...parts,
})
