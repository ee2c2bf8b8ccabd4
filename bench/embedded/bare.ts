import { DurableNodeFS } from '../../server/src/platform/db/embedded-filesystem.ts'
import { EmbeddedSession } from '../../server/src/platform/db/embedded-session.ts'
import { toParameters } from '../../server/src/platform/db/parameters.ts'
import type { Recorded } from '../api/recording.ts'

/** What to measure: the cluster's folder, and the statements of each call. */
export interface BareTask {
  cluster: string
  calls: Recorded[][]
  /** How many calls share a flush. */
  together: number
}

/**
 * The limit: PGlite in this process, without HTTP, threads or workers. It runs prepared statements back to back, and as
 * many calls share a flush as callers wait at a time.
 */
process.once('message', async ({ cluster, calls, together }: BareTask) => {
  const session = await EmbeddedSession.open(new DurableNodeFS(cluster), () => {})
  const start = performance.now()
  for (let done = 0; done < calls.length; done += together) {
    for (const call of calls.slice(done, done + together)) await replay(session, call)
    await session.flush()
  }
  const seconds = (performance.now() - start) / 1000
  process.send?.({ perSecond: calls.length / seconds })
  await session.close()
  process.exit()
})

/** Runs the statements as the operation did: those outside its transaction first, then the transaction. */
async function replay(session: EmbeddedSession, call: Recorded[]): Promise<void> {
  const run = ({ text, values }: Recorded) => session.run(text, toParameters(values))
  for (const statement of call) if (!statement.inTransaction) await run(statement)
  const inside = call.filter(({ inTransaction }) => inTransaction)
  if (inside.length === 0) return
  await session.begin()
  for (const statement of inside) await run(statement)
  await session.commit()
}
