import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { appendAudit } from '../audit/audit.ts'
import { OTHERS, refusalRecord } from './refused-sign-in.ts'

const BATCH = 100

interface Row {
  address: string
  actor: string
  by: string
  attempts: number
  since: number
}

/** Records how many sign-ins were refused in minutes that have ended, where it was more than one. It has no route. */
export const settleRefusals = operation({
  path: '/console/api/session/settle-refusals',
  auth: 'none',
  access: 'write',
  summary: 'Record the refused sign-ins of a minute',
  input: Type.Object({}),
  output: Type.Object({ settled: Type.Integer() }),
  errors: [],
  message: 'Recorded.',
}).run(async ({ db }) => {
  const rows = await db.query<Row>(sql`
    delete from refused_sign_in
    where network in (
      select network
      from refused_sign_in
      where ends_at <= now_ms()
      order by ends_at
      limit ${BATCH}
      for update skip locked
    )
    returning case network when ${OTHERS} then network else address end as address, actor, proof as by, attempts,
      began_at as since`)
  for (const row of rows) if (row.attempts > 1) await appendAudit(db, refusalRecord(row))
  return { settled: rows.length }
})
