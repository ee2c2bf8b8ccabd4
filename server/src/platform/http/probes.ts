import type { FastifyInstance } from 'fastify'
import type { Services } from '../context.ts'
import { type Database, sql } from '../db/db.ts'

const PROBE = { config: { isProbe: true } }

/**
 * Serves `/healthz` (the process lives), `/readyz` (it can serve: 503 while it drains or cannot reach its database) and
 * `/metrics`, without credentials.
 */
export function mountProbes(
  app: FastifyInstance,
  { database, services }: { database: Database; services: Services },
  isDraining: () => boolean,
): void {
  app.get('/healthz', PROBE, async () => ({ status: 'ok' }))
  app.get('/readyz', PROBE, async (_request, reply) => {
    const ready =
      !isDraining() &&
      (await database.checks.query(sql`select 1 as one`).then(
        () => true,
        () => false,
      ))
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ready' : isDraining() ? 'draining' : 'database unavailable' })
  })
  app.get('/metrics', PROBE, async (_request, reply) => {
    const { contentType, text } = await services.metrics.render()
    return reply.header('content-type', contentType).send(text)
  })
}
