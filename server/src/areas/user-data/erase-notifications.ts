import { sql } from '../../platform/db/db.ts'
import type { JobContext } from '../../platform/work/job.ts'
import { eraseNamed } from './erase-named.ts'
import { BATCH, type EraseBatch, eraseRows, type Scope, within } from './erasure.ts'

/**
 * Erases the notifications that the users caused, their copies of others, their preferences, and then what
 * notifications of others say of them.
 */
export const eraseNotifications: EraseBatch = async (context, scope, after) => {
  if (after !== '') return eraseNamed('notification', context, scope, after)
  if (await eraseRows(context, scope, { table: 'notification', user: 'actor_key' })) return true
  if (await eraseCopies(context, scope)) return true
  const { db, tenant } = context
  await db.query(sql`
    delete from notification_preference
    where api_key = ${tenant.apiKey} and user_key = any(${scope.userKeys}::uuid[])
      ${within(sql`organization_key`, scope)}`)
  return eraseNamed('notification', context, scope)
}

async function eraseCopies({ db, tenant }: JobContext, scope: Scope): Promise<boolean> {
  const gone = await db.query<{ organizationKey: string; key: string }>(sql`
    delete from notification_recipient
    where api_key = ${tenant.apiKey} and (organization_key, notification_key, user_key) in (
      select organization_key, notification_key, user_key
      from notification_recipient
      where api_key = ${tenant.apiKey} and user_key = any(${scope.userKeys}::uuid[])
        ${within(sql`organization_key`, scope)}
      order by organization_key, notification_key, user_key
      limit ${BATCH}
      for update)
    returning organization_key as "organizationKey", notification_key as key`)
  if (gone.length === 0) return false
  const [organizationKeys, keys] = [gone.map((row) => row.organizationKey), gone.map(({ key }) => key)]
  // A notification without any other recipient was about the users.
  await db.query(sql`
    delete from notification n
    using unnest(${organizationKeys}::uuid[], ${keys}::uuid[]) as g (organization_key, key)
    where n.api_key = ${tenant.apiKey} and n.organization_key = g.organization_key and n.key = g.key
      and not exists (
        select
        from notification_recipient r
        where r.api_key = ${tenant.apiKey} and r.organization_key = n.organization_key
          and r.notification_key = n.key)`)
  await db.query(sql`
    update notification n
    set record = record #- '{displayHeadlineMessageTemplateData,recipientUser}'
    from unnest(${organizationKeys}::uuid[], ${keys}::uuid[]) as g (organization_key, key)
    where n.api_key = ${tenant.apiKey} and n.organization_key = g.organization_key and n.key = g.key
      and (record #>> '{displayHeadlineMessageTemplateData,recipientUser,userId}' = any(${scope.userIds}::text[])
        or record #>> '{displayHeadlineMessageTemplateData,recipientUser}' = any(${scope.userIds}::text[]))`)
  return true
}
