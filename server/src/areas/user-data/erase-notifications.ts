import { json, sql } from '../../platform/db/db.ts'
import type { JobContext } from '../../platform/work/job.ts'
import { redact } from '../activities/log/redact.ts'
import { BATCH, type EraseBatch, pseudonymOf, type Scope, within } from './erasure.ts'

/**
 * Erases the notifications that the users caused, their copies of others, their preferences, and then what notifications
 * of others say of them.
 */
export const eraseNotifications: EraseBatch = async (context, scope, after) => {
  if (after !== '') return eraseNamed(context, scope, after)
  if (await eraseCaused(context, scope)) return true
  if (await eraseCopies(context, scope)) return true
  const { db, tenant } = context
  await db.query(sql`
    delete from notification_preference
    where api_key = ${tenant.apiKey} and user_key = any(${scope.userKeys}::uuid[])
      ${within(sql`organization_key`, scope)}`)
  return eraseNamed(context, scope, START)
}

async function eraseCaused({ db, tenant }: JobContext, scope: Scope): Promise<boolean> {
  const gone = await db.query(sql`
    delete from notification
    where api_key = ${tenant.apiKey} and (organization_key, key) in (
      select organization_key, key
      from notification
      where api_key = ${tenant.apiKey} and actor_key = any(${scope.userKeys}::uuid[])
        ${within(sql`organization_key`, scope)}
      order by organization_key, key
      limit ${BATCH}
      for update)
    returning 1 as gone`)
  return gone.length > 0
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

const LOWEST = '00000000-0000-0000-0000-000000000000'
const START = `${LOWEST} ${LOWEST}`

/** No index knows whom the data of a notification names, so all are looked through, a batch at a time. */
async function eraseNamed(context: JobContext, scope: Scope, after: string): Promise<string | false> {
  const { db, tenant } = context
  const [organizationKey, key] = after.split(' ')
  const page = await db.query<{ organizationKey: string; key: string; isNaming: boolean }>(sql`
    select organization_key as "organizationKey", key,
      jsonb_path_exists(
        record, '$.**.userId ? (@ == $ids[*])', jsonb_build_object('ids', ${scope.userIds}::text[])) as "isNaming"
    from (
      select organization_key, key, record
      from notification
      where api_key = ${tenant.apiKey} and (organization_key, key) > (${organizationKey}::uuid, ${key}::uuid)
        ${within(sql`organization_key`, scope)}
      order by organization_key, key
      limit ${BATCH}
    ) n
    order by organization_key, key`)
  await redactRecords(
    context,
    scope,
    page.filter(({ isNaming }) => isNaming),
  )
  const last = page.at(-1)
  return last ? `${last.organizationKey} ${last.key}` : false
}

/** Puts pseudonyms in place of the users in the records of notifications. */
async function redactRecords(
  context: JobContext,
  { userIds }: Scope,
  named: { organizationKey: string; key: string }[],
): Promise<void> {
  if (named.length === 0) return
  const { db, tenant } = context
  const rows = await db.query<{ organizationKey: string; key: string; record: object }>(sql`
    select n.organization_key as "organizationKey", n.key, n.record
    from unnest(
      ${named.map((row) => row.organizationKey)}::uuid[],
      ${named.map(({ key }) => key)}::uuid[]
    ) as g (organization_key, key)
    join notification n
      on n.api_key = ${tenant.apiKey} and n.organization_key = g.organization_key and n.key = g.key
    order by n.organization_key, n.key
    for no key update of n`)
  const pseudonyms = new Map(userIds.map((userId) => [userId, pseudonymOf(context, userId).userId]))
  await db.query(sql`
    update notification n
    set record = r.record
    from unnest(
      ${rows.map((row) => row.organizationKey)}::uuid[],
      ${rows.map(({ key }) => key)}::uuid[],
      ${rows.map(({ record }) => json(redact(record, (userId) => pseudonyms.get(userId), false)))}::jsonb[]
    ) as r (organization_key, key, record)
    where n.api_key = ${tenant.apiKey} and n.organization_key = r.organization_key and n.key = r.key`)
}
