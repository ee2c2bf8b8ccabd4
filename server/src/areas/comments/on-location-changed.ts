import { sql } from '../../platform/db/db.ts'
import { type ChangeContext, on } from '../../platform/event.ts'
import { migratedLocation } from '../locations/location.ts'
import { type LocationDataDeleted, locationDataDeleted, locationUpdated } from '../locations/location-event.ts'
import { assertRepeatable } from '../locations/location-reactions.ts'
import { deleteThreadsOf, type Position } from './threads-of-place.ts'

/** Deletes the threads of a location with its data, and announces each as if it were deleted by itself. */
export const deleteThreadsOfLocations = on(locationDataDeleted, async (context, payloads) => {
  for (const payload of payloads) {
    const { documentKey, locationKey } = payload
    const after = ({ updatedAt, key }: Position) => sql`
      document_key = ${documentKey}::uuid and location_key = ${locationKey}::uuid
      and (updated_at, key) > (${updatedAt}::bigint, ${key}::uuid)`
    const organizations = await organizationsWithThreads(context, payload)
    const total = organizations.reduce((sum, { count }) => sum + count, 0)
    for (const organization of organizations) {
      await deleteThreadsOf(context, { ...organization, goesWith: 'location', total, after })
    }
  }
})

/** The organizations with threads at the location, and how many. Those of one that is being removed go with it. */
const organizationsWithThreads = (
  { db, tenant }: ChangeContext,
  { documentKey, organizationKey, locationKey }: LocationDataDeleted,
) =>
  db.query<{ organizationKey: string; organizationId: string; count: number }>(sql`
    select o.key as "organizationKey", o.id as "organizationId", a.count
    from document d
    join organization o on o.api_key = ${tenant.apiKey} and o.key = d.organization_key and o.retired_at is null
    cross join lateral (
      select count(*) as count
      from comment_annotation
      where api_key = ${tenant.apiKey} and organization_key = d.organization_key and document_key = d.key
        and location_key = ${locationKey}::uuid
    ) a
    where d.api_key = ${tenant.apiKey} and d.key::text = ${documentKey}
      and (${organizationKey}::uuid is null or d.organization_key = ${organizationKey}::uuid)
      and a.count > 0
    order by o.key`)

/** Moves threads with their location. */
export const moveThreadsOfLocations = on(locationUpdated, async ({ db, tenant }, payloads) => {
  for (const payload of payloads) {
    const { documentKey, organizationKey, oldKey, newKey } = payload
    const location = migratedLocation(sql`a.record -> 'location'`, payload)
    const isThere = sql`
      d.key = ${documentKey} and (${organizationKey}::uuid is null or d.organization_key = ${organizationKey}::uuid)
      and a.organization_key = d.organization_key and a.document_key = d.key and a.location_key = ${oldKey}::uuid`
    const there = sql`
      document d
      join comment_annotation a on a.api_key = ${tenant.apiKey} and ${isThere}
      where d.api_key = ${tenant.apiKey}`
    await assertRepeatable(db, there, payload)
    await db.query(sql`
      update comment_annotation a
      set location_key = ${newKey}::uuid, record = a.record || jsonb_build_object('location', ${location}),
        updated_at = greatest(a.updated_at, now_ms())
      from document d
      where d.api_key = ${tenant.apiKey} and a.api_key = ${tenant.apiKey} and ${isThere}`)
  }
})
