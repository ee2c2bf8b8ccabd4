import { DurableNodeFS } from '../../server/src/platform/db/embedded/filesystem.ts'
import { EmbeddedSession } from '../../server/src/platform/db/embedded/session.ts'
import { toParameters } from '../../server/src/platform/db/parameters.ts'
import type { Recorded } from '../api/recording.ts'

/** What to measure: the cluster's folder, and the statements of each call. */
export interface BareTask {
  cluster: string
  /** Run first, and not counted. */
  warmUp: Recorded[][]
  calls: Recorded[][]
  /** How many calls share a flush. */
  together: number
}

/**
 * The limit: PGlite in this process, without HTTP, threads or workers. It runs prepared statements back to back, and as
 * many calls share a flush as callers wait at a time.
 */
process.once('message', async ({ cluster, warmUp, calls, together }: BareTask) => {
  const session = await EmbeddedSession.open(new DurableNodeFS(cluster), () => {})
  await run(session, warmUp, together)
  const start = performance.now()
  await run(session, calls, together)
  const seconds = (performance.now() - start) / 1000
  process.send?.({ perSecond: calls.length / seconds })
  await session.close()
  process.exit()
})

async function run(session: EmbeddedSession, calls: Recorded[][], together: number): Promise<void> {
  for (let done = 0; done < calls.length; done += together) {
    for (const call of calls.slice(done, done + together)) await replay(session, call)
    await session.flush()
  }
}

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
