import { sql } from '../../platform/db/db.ts'
import { deleteTenantRows, tenantTables } from '../../platform/db/tenant-tables.ts'
import { forgetAnswers } from '../../platform/http/idempotency.ts'
import { type Job, job } from '../../platform/work/job.ts'

const BATCH_ROWS = 1000
/** Longer than a delivery or a request that was on its way when the key was deleted. */
const LAST_WRITES_MS = 120_000

/**
 * Removes the data of an API key, a bounded batch per run; each run enqueues the next. When a pass over all tables has
 * found rows, another follows, for what was being written meanwhile. After a pass without rows the key itself goes.
 */
export const deleteApiKeyBatch: Job<{ position: number; found: boolean }> = job({
  name: 'api-key.delete',
  async run({ db, tenant: { apiKey }, enqueue, clock }, { position, found }) {
    const tables = await tenantTables(db)
    for (const [offset, table] of tables.slice(position).entries()) {
      const count = await deleteTenantRows(db, table, apiKey, BATCH_ROWS)
      if (count > 0) return enqueue(deleteApiKeyBatch, [{ position: position + offset, found: true }])
    }
    if (found) return enqueue(deleteApiKeyBatch, [{ position: 0, found: false }], clock.now() + LAST_WRITES_MS)
    await forgetAnswers(db, apiKey)
    await db.query(sql`delete from api_key where id = ${apiKey}`)
  },
})
