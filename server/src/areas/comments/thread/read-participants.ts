import { groupBy } from '../../../platform/bulk.ts'
import type { ApiKeyScope } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import type { Participant } from './participant.ts'

interface ParticipantRow extends Participant {
  key: string
}

/** Reads the participants of threads, by the key of the thread. */
export async function readParticipants(
  db: Db,
  tenant: ApiKeyScope,
  organizationKey: string,
  annotationKeys: string[] | Sql,
): Promise<Map<string, Participant[]>> {
  const rows = await db.query<ParticipantRow>(sql`
    select annotation_key as key, person, is_author as "isAuthor", is_mentioned as "isMentioned", subscription,
      viewed_at as "viewedAt"
    from comment_participant
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey}
      and annotation_key = any(${annotationKeys}::uuid[])
    order by annotation_key, user_key`)
  return groupBy(rows, ({ key }) => key)
}

/** Reads at most so many participants of each thread, by the key of the thread. */
export const readSomeParticipants =
  (most: number): typeof readParticipants =>
  async (db, tenant, organizationKey, annotationKeys) => {
    const rows = await db.query<ParticipantRow>(sql`
      select p.annotation_key as key, person, is_author as "isAuthor", is_mentioned as "isMentioned", subscription,
        viewed_at as "viewedAt"
      from unnest(${annotationKeys}::uuid[]) as k (key)
      cross join lateral (
        select *
        from comment_participant
        where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and annotation_key = k.key
        order by user_key
        limit ${most}
      ) p
      order by p.annotation_key, p.user_key`)
    return groupBy(rows, ({ key }) => key)
  }
