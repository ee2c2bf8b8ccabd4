import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../context.ts'
import { type Database, sql } from '../db/db.ts'

const PROBE = { config: { isProbe: true } }
/** A database that answers later than that cannot be worked with. Who asks would give up. */
const PATIENCE_MS = 5_000

interface ProbeOptions {
  database: Database
  services: Services
  standstill: () => Promise<string | undefined>
  isGreeted: () => boolean
}

/**
 * Serves `/healthz` (the process lives), `/readyz` (it can work: 503 until it has greeted, while it drains, cannot
 * reach its database or write there, or its worker is stuck) and `/metrics`, without credentials.
 */
export function mountProbes(app: FastifyInstance, options: ProbeOptions, isDraining: () => boolean): void {
  app.get('/healthz', PROBE, async () => ({ status: 'ok' }))
  app.get('/readyz', PROBE, async (_request, reply) => {
    const obstacle = isDraining() ? { status: 'draining' } : await obstacleOf(options)
    return reply.code(obstacle ? 503 : 200).send(obstacle ?? { status: 'ready' })
  })
  app.get('/metrics', PROBE, async (_request, reply) => {
    const { contentType, text } = await options.services.metrics.render()
    return reply.header('content-type', contentType).send(text)
  })
}

async function obstacleOf({ database, standstill, isGreeted }: ProbeOptions): Promise<object | undefined> {
  // Who has waited for it reads the credentials of a first start in the greeting.
  if (!isGreeted()) return { status: 'starting' }
  const asked = database.checks
    .query<{ isReadOnly: boolean }>(sql`select current_setting('transaction_read_only') = 'on' as "isReadOnly"`)
    .catch(() => [])
  const [found] = await Promise.race([asked, delay(PATIENCE_MS, [], { ref: false })])
  if (!found) return { status: 'database unavailable' }
  if (found.isReadOnly) return { status: 'database read-only', reason: 'The database takes no writes.' }
  const reason = await standstill()
  return reason === undefined ? undefined : { status: 'worker stalled', reason }
}
