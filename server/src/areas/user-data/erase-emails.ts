import { json, sql } from '../../platform/db/db.ts'
import type { JobContext } from '../../platform/work/job.ts'
import { BATCH, type EraseBatch, pseudonymOf, type Scope, within } from './erasure.ts'

/** Erases the emails to the users, and their names in emails to others. */
export const eraseEmails: EraseBatch = async (context, scope) =>
  (await eraseReceived(context, scope)) || eraseNamed(context, scope)

async function eraseReceived({ db, tenant }: JobContext, scope: Scope): Promise<boolean> {
  const gone = await db.query(sql`
    delete from email
    where api_key = ${tenant.apiKey} and id in (
      select id
      from email
      where api_key = ${tenant.apiKey} and user_key = any(${scope.userKeys}::uuid[])
        ${within(sql`organization_key`, scope)}
      order by id
      limit ${BATCH}
      for update)
    returning 1 as gone`)
  return gone.length > 0
}

async function eraseNamed(context: JobContext, scope: Scope): Promise<boolean> {
  const { db, tenant } = context
  const { userIds } = scope
  const pseudonyms = userIds.map((userId) => json(pseudonymOf(context, userId)))
  const renamed = await db.query(sql`
    with erased as (
      select *
      from unnest(${userIds}::text[], ${pseudonyms}::jsonb[]) as e (id, pseudonym)
    )
    update email_activity a
    set said = a.said || jsonb_build_object(
      'actor', coalesce((select pseudonym from erased where id = a.said #>> '{actor,userId}'), a.said -> 'actor'),
      'assignee',
      coalesce((select pseudonym from erased where id = a.said #>> '{assignee,userId}'), a.said -> 'assignee'))
    where a.api_key = ${tenant.apiKey} and (a.email_id, a.seq) in (
      select email_id, seq
      from email_activity
      where api_key = ${tenant.apiKey}
        and (said #>> '{actor,userId}' = any(${userIds}::text[])
          or said #>> '{assignee,userId}' = any(${userIds}::text[]))
        ${within(sql`organization_key`, scope)}
      order by email_id, seq
      limit ${BATCH}
      for update)
    returning 1 as renamed`)
  return renamed.length > 0
}
