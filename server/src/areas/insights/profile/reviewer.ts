import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'

interface ReviewerRecord {
  userId: string
  name: string
  email: string | null
  lastActive: number
}

/** Who a user was at the time of their last judgment; undefined if there is none. */
export async function readReviewer(
  db: Db,
  { apiKey }: ApiKeyTenant,
  userId: string,
): Promise<ReviewerRecord | undefined> {
  const [row] = await db.query<ReviewerRecord>(sql`
    select reviewer ->> 'userId' as "userId", reviewer ->> 'name' as name, reviewer ->> 'email' as email,
      created_at as "lastActive"
    from judgment
    where api_key = ${apiKey} and reviewer_key = ${keyOf(userId)}::uuid
    order by created_at desc, key desc
    limit 1`)
  return row
}
