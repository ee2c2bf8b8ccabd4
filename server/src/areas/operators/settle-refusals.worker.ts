import { type Db, sql } from '../../platform/db/db.ts'
import type { Source } from '../../platform/work/worker.ts'

/** Records how many sign-ins were refused, once their minute has ended. `settle` returns how many networks it took. */
export const refusedSignIns = (db: Db, settle: () => Promise<number>): Source => ({
  name: 'refused sign-ins',
  work: async () => {
    const [ended] = await db.query(sql`select network from refused_sign_in where ends_at <= now_ms() limit 1`)
    return ended ? settle() : 0
  },
  due: () => sql`exists (select from refused_sign_in where ends_at <= now_ms())`,
})
