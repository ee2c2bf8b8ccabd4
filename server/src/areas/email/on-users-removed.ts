import { sql } from '../../platform/db/db.ts'
import { on } from '../../platform/event.ts'
import { usersRemoved } from '../permissions/membership-event.ts'

/**
 * Ends the emails of an organization that are not yet sent to users who are removed from it. Each is judged again
 * before it is sent, but who is a member again by then would get it.
 */
export const endEmails = on(usersRemoved, async ({ db, tenant, clock }, removed) => {
  // Locked in the order in which batches are joined.
  db.send(sql`
    with ended as (
      select id
      from email
      where api_key = ${tenant.apiKey} and status in ('collecting', 'waiting')
        and (organization_key, user_key) in (
          select * from unnest(
            ${removed.map(({ organizationKey }) => organizationKey)}::uuid[],
            ${removed.map(({ userKey }) => userKey)}::uuid[]))
      order by organization_key, user_key, batch
      for update
    )
    update email e
    set status = 'skipped', due_at = ${clock.now()}::bigint, error = ${REMOVED}
    from ended
    where e.api_key = ${tenant.apiKey} and e.id = ended.id`)
})

const REMOVED = 'The user was removed from the organization.'
