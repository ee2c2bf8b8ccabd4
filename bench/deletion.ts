import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createClient } from '../client/src/index.ts'
import { startCluster } from '../server/test/postgres-cluster.ts'
import { SECRET_KEYS } from './api.ts'
import { SERVER } from './built.ts'
import { fill } from './growth/fill.ts'
import { ORGANIZATION, writePrototypes } from './growth/prototype.ts'
import { SmallServer } from './stall/small-server.ts'
import { caller, newApiKey, newDatabase, quantile } from './subject.ts'
import { conditions, round, table } from './table.ts'

/** What goes in the transaction that hides an organization, and what tells of the past. */
const WITHOUT = ['judgment', 'email', 'event', 'webhook_settled']
/** How often another tenant reads and writes meanwhile. */
const EVERY_MS = 20

/**
 * Deletes an organization with many threads, each with a comment, a reaction, a notification and an activity, and with
 * as many documents, folders and grants. It reports when the call is answered, how long a new organization of that id
 * takes to get its first thread, how fast the threads are removed, and how another tenant fares meanwhile.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { threads: { type: 'string', default: '100000' } } })
  const cluster = await startCluster()
  const { database, url } = await newDatabase(cluster.url, 'deletion')
  const env = { DATABASE_URL: url, SECRET_KEYS, RATE_LIMIT_WORKSPACE_CREATE: '0' }
  const server = await SmallServer.start({ program: SERVER, env, heapMb: 1_024 })
  try {
    const [owner, other] = [await newApiKey(server.url), await newApiKey(server.url, 'other')]
    const { endpointId } = await writePrototypes(server.url, owner)
    const api = createClient({ baseUrl: server.url, ...owner })
    await api.webhooks.updateEndpoint({ endpointId, disabled: true })
    await fill(database, [{ apiKey: owner.apiKey, rows: Number(values.threads) }], WITHOUT)
    const neighbour = watch(server.url, other)
    await delay(3_000)
    const alone = neighbour.take()
    await server.longestHold(30_000)
    server.peakMemory()
    const start = performance.now()
    await api.organizations.deleteOrganizations({ organizationIds: [ORGANIZATION] })
    const answered = performance.now() - start
    const place = { organizationId: ORGANIZATION, documentId: 'new', createOrganization: true, createDocument: true }
    const commentAnnotations = [
      { annotationId: 'thread-0', commentData: [{ commentText: 'New', from: { userId: 'u' } }] },
    ]
    await api.comments.addCommentAnnotations({ ...place, commentAnnotations })
    const renewed = performance.now() - start
    let threads = 0
    let emptied = 0
    for (;;) {
      const [deletion] = (await api.organizations.getOrganizationDeletions({})).data
      if (!deletion) break
      threads = deletion.threads
      if (deletion.threadsRemoved === deletion.threads && emptied === 0) emptied = performance.now() - start
      await delay(250)
    }
    const removed = performance.now() - start
    const beside = neighbour.take()
    neighbour.stop()
    const left = Object.keys((await api.comments.getCommentAnnotations({ organizationId: ORGANIZATION })).data).length
    const [held, peak] = [await server.longestHold(30_000), server.peakMemory()]
    const head = ['threads', 'answered ms', 'first new thread ms', 'threads removed s', 'all removed s', 'threads/s']
    const figures = [answered, renewed, emptied / 1_000, removed / 1_000].map((value) => round(value, 1))
    const row = [threads, ...figures, round((threads / emptied) * 1_000, 0), left, round(held, 0), peak]
    process.stdout.write(`${conditions()}; PostgreSQL: ${cluster.describe}\n\n`)
    process.stdout.write(`${table([...head, 'new threads left', 'longest hold ms', 'peak RSS MiB'], [row])}\n\n`)
    const of = (times: number[]) => [0.5, 0.95, 1].map((share) => round(quantile(times, share), 1))
    const rows = [
      ['alone', alone.length, ...of(alone)],
      ['meanwhile', beside.length, ...of(beside)],
    ]
    process.stdout.write(`${table(['another tenant adds a user', 'calls', 'p50 ms', 'p95 ms', 'most ms'], rows)}\n`)
  } finally {
    server.stop()
    await database.close()
    await cluster.stop()
  }
}

/** Another tenant who adds users, one after the other. `take` returns the times since the last call. */
function watch(url: string, credentials: Awaited<ReturnType<typeof newApiKey>>) {
  const { time, close } = caller(url, credentials)
  let times: number[] = []
  let goesOn = true
  async function go(): Promise<void> {
    for (let n = 0; goesOn; n++) {
      times.push(await time('/v2/users/add', { organizationId: 'o', users: [{ userId: `u-${n % 100}`, name: 'U' }] }))
      await delay(EVERY_MS)
    }
    close()
  }
  void go()
  return {
    take() {
      const taken = times
      times = []
      return taken
    },
    stop() {
      goesOn = false
    },
  }
}
