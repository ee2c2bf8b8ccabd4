import { sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { membershipsEnded } from '../permissions/membership-event.ts'

/** A user who leaves an organization leaves its groups. */
export const leaveGroups = on(membershipsEnded, async ({ db, tenant }, ended) => {
  db.send(sql`
    delete from user_group_member m
    using unnest(
      ${ended.map(({ organizationKey }) => organizationKey)}::uuid[],
      ${ended.map(({ userKey }) => userKey)}::uuid[]
    ) as e (organization_key, user_key)
    where m.api_key = ${tenant.apiKey} and m.organization_key = e.organization_key and m.user_key = e.user_key`)
})
