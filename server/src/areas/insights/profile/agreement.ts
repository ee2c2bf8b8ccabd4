import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import { APPROVING_DECISIONS, SIDED_DECISIONS } from '../../memory/judgment/decision-polarity.ts'

const MOST_ITEMS = 300
/** The newest judgments of others that are read of a thread or a document. */
const MOST_OTHERS = 1_000

interface Agreement {
  compared: number
  agreed: number
  rate: number | null
}

/**
 * Compares the latest decisions of a user with those of the majority of the others on the same item: a thread, or what
 * was reviewed in a document. Items on which the others are evenly split do not count.
 */
export async function readAgreement(db: Db, { apiKey }: ApiKeyTenant, userId: string): Promise<Agreement> {
  const [row] = await db.query<{ compared: number; agreed: number }>(sql`
    with own as materialized (
      select distinct on (organization_key, place, item) *
      from (
        select organization_key, coalesce(annotation_key, document_key) as place, annotation_key is not null as is_thread,
          case when annotation_key is null then md5(content) else '' end as item,
          decision_value = any(${APPROVING_DECISIONS}::text[]) as approves, created_at, key
        from judgment
        where api_key = ${apiKey} and reviewer_key = ${keyOf(userId)}::uuid
          and decision_value = any(${SIDED_DECISIONS}::text[])
          and organization_key is not null and coalesce(annotation_key, document_key) is not null
        order by created_at desc, key desc
        limit ${MOST_ITEMS}
      ) j
      order by organization_key, place, item, created_at desc, key desc
    ),
    others as (
      select p.organization_key, p.place, o.item, o.approves
      from (select distinct organization_key, place, is_thread from own) p
      cross join lateral (
        select '' as item, decision_value = any(${APPROVING_DECISIONS}::text[]) as approves
        from judgment
        where api_key = ${apiKey} and organization_key = p.organization_key and annotation_key = p.place and p.is_thread
          and reviewer_key is distinct from ${keyOf(userId)}::uuid and decision_value = any(${SIDED_DECISIONS}::text[])
        order by created_at desc
        limit ${MOST_OTHERS}
      ) o
      union all
      select p.organization_key, p.place, o.item, o.approves
      from (select distinct organization_key, place, is_thread from own) p
      cross join lateral (
        select md5(content) as item, decision_value = any(${APPROVING_DECISIONS}::text[]) as approves
        from judgment
        where api_key = ${apiKey} and organization_key = p.organization_key and document_key = p.place and not p.is_thread
          and reviewer_key is distinct from ${keyOf(userId)}::uuid and decision_value = any(${SIDED_DECISIONS}::text[])
        order by created_at desc
        limit ${MOST_OTHERS}
      ) o
    ),
    majorities as (
      select organization_key, place, item, count(*) filter (where approves) * 2 - count(*) as lead
      from others
      group by organization_key, place, item
    )
    select count(*) as compared, count(*) filter (where own.approves = (m.lead > 0)) as agreed
    from own
    join majorities m on m.organization_key = own.organization_key and m.place = own.place and m.item = own.item
    where m.lead <> 0`)
  const { compared = 0, agreed = 0 } = row ?? {}
  return { compared, agreed, rate: compared === 0 ? null : agreed / compared }
}
