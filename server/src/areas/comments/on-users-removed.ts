import { sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { usersRemoved } from '../permissions/membership-event.ts'

/** Ends the subscriptions of removed users to threads of the organization. Their unsubscriptions stay. */
export const endSubscriptions = on(usersRemoved, async ({ db, tenant }, removed) => {
  // The array keeps the planner from reading all threads where an organization has few users.
  db.send(sql`
    update comment_participant p
    set subscription = null
    from unnest(array(
      select (s.organization_key, s.annotation_key, s.user_key)
      from unnest(
        ${removed.map(({ organizationKey }) => organizationKey)}::uuid[],
        ${removed.map(({ userKey }) => userKey)}::uuid[]
      ) as r (organization_key, user_key)
      cross join lateral (
        select organization_key, annotation_key, user_key
        from comment_participant
        where api_key = ${tenant.apiKey} and organization_key = r.organization_key and user_key = r.user_key
          and subscription <> 'off'
        offset 0
      ) s
    )) as s (organization_key uuid, annotation_key uuid, user_key uuid)
    where p.api_key = ${tenant.apiKey} and p.organization_key = s.organization_key
      and p.annotation_key = s.annotation_key and p.user_key = s.user_key and p.subscription <> 'off'`)
})
