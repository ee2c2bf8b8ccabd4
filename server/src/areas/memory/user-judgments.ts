import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, empty, type Sql, sql } from '../../platform/db/db.ts'
import { FIRST_KEY } from '../../platform/id.ts'
import { mapWithRests } from '../../platform/turns/yield.ts'
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

/** The most judgments of a read, and the most bytes of their texts. At least one is read. */
const PAGE = 1000
const PAGE_BYTES = 1024 * 1024

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
  // Locks out other changes to judgments until the commit.
  await takeChanges(db, tenant, 0)
  const page = await db.query<{ key: string; reasoning: string | null; content: string | null }>(sql`
    select key, case when m.is then reasoning end as reasoning, case when m.is then content end as content
    from (
      select *, row_number() over (order by key) as number,
        sum(octet_length(reasoning) + octet_length(content)) over (order by key) as bytes
      from (
        select key, reasoning, content
        from judgment
        where api_key = ${tenant.apiKey} and key > ${after || FIRST_KEY}::uuid
          ${organizationKeys === undefined ? empty : sql`and organization_key = any(${organizationKeys}::uuid[])`}
        order by key
        limit ${PAGE}
      ) p
    ) j
    cross join lateral (select strpos(reasoning, '{{') > 0 or strpos(content, '{{') > 0 as is) m
    where number = 1 or bytes <= ${PAGE_BYTES}
    order by key`)
  const clean = withoutMentions(userIds, mark)
  const mentioning = await mapWithRests(page, ({ key, reasoning, content }) => {
    if (reasoning === null || content === null) return []
    const cleaned = { key, reasoning: clean(reasoning), content: clean(content) }
    return cleaned.reasoning === reasoning && cleaned.content === content ? [] : [cleaned]
  })
  await rewrite(db, tenant, mentioning.flat())
  return page.at(-1)?.key ?? false
}

/** The most code units of a user id. */
const MAX_ID = 512

/** Replaces mentions of users in a text. It takes the same time for any number of users. */
function withoutMentions(userIds: string[], mark: string): (text: string) => string {
  const ids = new Set(userIds)
  // Their mentions end elsewhere than at the first braces.
  const withBraces = userIds.filter((id) => id.includes('}'))
  return (given) => {
    const text = withBraces.reduce((cleaned, id) => cleaned.replaceAll(`{{${id}}}`, mark), given)
    const pieces: string[] = []
    let [start, end] = [0, -1]
    for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', Math.max(start, at + 1))) {
      if (end < at + 2) end = text.indexOf('}}', at + 2)
      if (end < 0) break
      if (end - at > MAX_ID + 2 || !ids.has(text.slice(at + 2, end))) continue
      pieces.push(text.slice(start, at))
      start = end + 2
    }
    return [...pieces, text.slice(start)].join(mark)
  }
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
