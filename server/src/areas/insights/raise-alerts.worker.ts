import type { WorkerContext } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import type { Source } from '../../platform/work/worker.ts'
import type { AlertConfig } from './alert/alert.ts'
import { findAlerts } from './alert/find-alerts.ts'
import { raiseAlerts } from './alert/raise-alerts.ts'

const EVERY_MS = 60_000
/** How long an API key rests after it was looked through. A process that dies leaves it for as long. */
const REST_MS = 3_600_000
/** An API key whose judgments have changed less often is not looked through: there is hardly anything to compare. */
const FEWEST_CHANGES = 16

interface Claimed {
  apiKey: string
  /** The last change of its judgments before they are looked through. */
  change: number
  config: AlertConfig
}

/** Looks through the judgments of API keys that have changed, each once an hour, and raises alerts. */
export function memoryAlerts({
  db,
  reads,
  services: { clock },
}: Pick<WorkerContext, 'db' | 'reads' | 'services'>): Source {
  let nextAt = 0
  return {
    name: 'memory alerts',
    async work() {
      const now = clock.now()
      if (now < nextAt) return 0
      const claimed = await claim(db, now)
      if (!claimed) {
        nextAt = now + EVERY_MS
        return 0
      }
      await raiseAlerts(db, claimed, await findAlerts(reads, claimed), claimed.config)
      await db.query(sql`update memory_alerting set change = ${claimed.change} where api_key = ${claimed.apiKey}`)
      return 1
    },
  }
}

async function claim(db: Db, now: number): Promise<Claimed | undefined> {
  const [claimed] = await db.query<Claimed>(sql`
    insert into memory_alerting as a (api_key, change, due_at)
    select l.api_key, 0, ${now + REST_MS}::bigint
    from judgment_log l
    left join memory_alerting k on k.api_key = l.api_key
    where l.change >= ${FEWEST_CHANGES} and l.change > coalesce(k.change, 0) and coalesce(k.due_at, 0) <= ${now}::bigint
    limit 1
    on conflict (api_key) do update
    set due_at = excluded.due_at
    where a.due_at <= ${now}::bigint
    returning api_key as "apiKey", config,
      (select l.change from judgment_log l where l.api_key = a.api_key) as change`)
  return claimed
}
