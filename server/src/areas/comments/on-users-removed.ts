import { sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { usersRemoved } from '../permissions/membership-event.ts'

/** Ends the subscriptions of removed users to threads of the organization. Their unsubscriptions stay. */
export const endSubscriptions = on(usersRemoved, async ({ db, tenant }, removed) => {
  db.send(sql`
    update comment_participant p
    set subscription = null
    from unnest(
      ${removed.map(({ organizationKey }) => organizationKey)}::uuid[],
      ${removed.map(({ userKey }) => userKey)}::uuid[]
    ) as r (organization_key, user_key)
    where p.api_key = ${tenant.apiKey} and p.organization_key = r.organization_key and p.user_key = r.user_key
      and p.subscription <> 'off'`)
})
