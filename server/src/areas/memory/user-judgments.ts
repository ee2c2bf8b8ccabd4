import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, empty, type Sql, sql } from '../../platform/db/db.ts'
import { takeChanges } from './judgment/change-log.ts'
import { deleteJudgmentsWhere } from './judgment/record-judgments.ts'
import { forgetVectors } from './vectors/judgment-vector.ts'

interface Whose {
  userKeys: string[]
  /** Undefined: in every organization, and outside of organizations. */
  organizationKeys?: string[]
}

/**
 * Forgets users: deletes the judgments that they made, and clears the content that they wrote in judgments of others.
 * Changes at most `limit` judgments; returns true if more may be left.
 */
export async function forgetJudgmentsOfUsers(
  db: Db,
  tenant: ApiKeyTenant,
  whose: Whose,
  limit: number,
): Promise<boolean> {
  const { userKeys } = whose
  const made = await deleteJudgmentsWhere(
    db,
    tenant,
    sql`j.key in (${firstKeys(tenant, whose, sql`reviewer_key = any(${userKeys}::uuid[])`, limit)})`,
  )
  const rest = limit - made.size
  if (rest === 0) return true
  const before = await takeChanges(db, tenant, rest)
  const emptied = await db.query<{ key: string }>(sql`
    update judgment j
    set content = '', content_user_id = null, content_user_key = null, change = ${before - rest}::bigint + n.number
    from (
      select key, row_number() over (order by key) as number
      from (${firstKeys(tenant, whose, sql`content_user_key = any(${userKeys}::uuid[])`, rest)}) s
    ) n
    where j.api_key = ${tenant.apiKey} and j.key = n.key
    returning j.key`)
  await forgetVectors(
    db,
    tenant,
    emptied.map(({ key }) => key),
    ['content'],
  )
  return emptied.length === rest
}

/** Judgments per read. */
const PAGE = 1000
const FIRST = '00000000-0000-0000-0000-000000000000'

interface Mentions {
  userIds: string[]
  organizationKeys?: string[]
  /** The text that replaces a mention. */
  mark: string
}

/**
 * Replaces mentions of users, `{{userId}}`, in the texts of judgments. No index holds mentions, so it scans all
 * judgments, one page per call. Returns the key to pass as `after` next; false at the end.
 */
export async function forgetMentions(
  db: Db,
  tenant: ApiKeyTenant,
  { userIds, organizationKeys, mark }: Mentions,
  after: string,
): Promise<string | false> {
  const marks = userIds.map((userId) => `{{${userId}}}`)
  // Locks out other changes to judgments until the commit.
  await takeChanges(db, tenant, 0)
  const page = await db.query<{ key: string; reasoning: string | null; content: string | null }>(sql`
    select j.key, case when m.is then j.reasoning end as reasoning, case when m.is then j.content end as content
    from judgment j
    cross join lateral (
      select exists (
        select from unnest(${marks}::text[]) as mark where strpos(j.reasoning || ' ' || j.content, mark) > 0
      ) as is
    ) m
    where j.api_key = ${tenant.apiKey} and j.key > ${after || FIRST}::uuid
      ${organizationKeys === undefined ? empty : sql`and j.organization_key = any(${organizationKeys}::uuid[])`}
    order by j.key
    limit ${PAGE}`)
  const clean = (text: string) => marks.reduce((cleaned, each) => cleaned.replaceAll(each, mark), text)
  const mentioning = page.flatMap(({ key, reasoning, content }) =>
    reasoning === null || content === null ? [] : [{ key, reasoning: clean(reasoning), content: clean(content) }],
  )
  await rewrite(db, tenant, mentioning)
  return page.length === PAGE ? (page.at(-1)?.key ?? false) : false
}

async function rewrite(
  db: Db,
  tenant: ApiKeyTenant,
  judgments: { key: string; reasoning: string; content: string }[],
): Promise<void> {
  if (judgments.length === 0) return
  const keys = judgments.map(({ key }) => key)
  const before = (await takeChanges(db, tenant, judgments.length)) - judgments.length
  await db.query(sql`
    update judgment j
    set reasoning = r.reasoning, content = r.content, change = ${before}::bigint + r.position
    from unnest(
      ${keys}::uuid[],
      ${judgments.map(({ reasoning }) => reasoning)}::text[],
      ${judgments.map(({ content }) => content)}::text[]
    ) with ordinality as r (key, reasoning, content, position)
    where j.api_key = ${tenant.apiKey} and j.key = r.key`)
  await forgetVectors(db, tenant, keys, ['review', 'content'])
}

const firstKeys = (tenant: ApiKeyTenant, { organizationKeys }: Whose, condition: Sql, limit: number): Sql => sql`
  select key
  from judgment
  where api_key = ${tenant.apiKey} and ${condition}
    ${organizationKeys === undefined ? empty : sql`and organization_key = any(${organizationKeys}::uuid[])`}
  limit ${limit}`
