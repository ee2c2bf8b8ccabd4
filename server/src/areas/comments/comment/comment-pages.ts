import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { withinBytes } from '../../../platform/page.ts'
import { type CommentRow, readComments } from './read-comments.ts'

/** The most bytes of a page of comments; a page has at least one comment. */
const PAGE_BYTES = 8 * 1024 * 1024
const PAGE_COMMENTS = 1_000

/** All comments of a batch of threads: one page, but of a single thread pages of about 8 MiB. */
export async function* commentPages(
  db: Db,
  tenant: ApiKeyTenant,
  organizationKey: string,
  keys: string[],
): AsyncGenerator<CommentRow[]> {
  const [key, ...others] = keys
  if (key === undefined) return
  if (others.length > 0) {
    const threads = await readComments(db, tenant, organizationKey, keys, 'all')
    yield [...threads.values()].flatMap(({ rows }) => rows)
    return
  }
  for (let after: number | undefined = -1; after !== undefined; ) {
    const next = sql`
      select annotation_key as key, id, record, created_at, updated_at, size
      from comment
      where api_key = ${tenant.apiKey} and organization_key = ${organizationKey} and annotation_key = ${key}
        and id > ${after}::bigint
      order by id
      limit ${PAGE_COMMENTS}`
    const rows: CommentRow[] = await db.query<CommentRow>(withinBytes(next, sql`id`, PAGE_BYTES))
    if (rows.length > 0) yield rows
    after = rows.at(-1)?.id
  }
}
