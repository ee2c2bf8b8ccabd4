import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createClient } from '../client/src/index.ts'
import { startCluster } from '../server/test/postgres-cluster.ts'
import { SECRET_KEYS } from './api.ts'
import { SERVER } from './built.ts'
import { CORPUS, type Hostile, PLACE } from './stall/corpus.ts'
import { fill } from './stall/fill.ts'
import { headersOf, holdOpen, type Load, send } from './stall/load.ts'
import { SmallServer, type Start } from './stall/small-server.ts'
import { Watcher } from './stall/watcher.ts'
import { type Credentials, newApiKey, newDatabase, quantile } from './subject.ts'
import { conditions, round, table } from './table.ts'

const HEAD = [
  ...['requests', 'answers', 'longest hold ms', 'idle process ms', 'peak RSS MiB'],
  ...['other tenant p99 ms', 'process'],
]

/**
 * Hostile requests, admitted and refused, against a process with a small heap. For each it reports how long the event
 * loop was held at most, beside an idle process in the same run, the peak of the memory, and how long a small read of
 * another tenant takes. `--program` names the `main.js` of another version.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      connections: { type: 'string', default: '64' },
      seconds: { type: 'string', default: '5' },
      heap: { type: 'string', default: '512' },
      only: { type: 'string', default: '' },
      program: { type: 'string', default: SERVER },
    },
  })
  const load = { connections: Number(values.connections), seconds: Number(values.seconds) }
  const cluster = await startCluster()
  const { database, url } = await newDatabase(cluster.url, 'stall')
  await database.close()
  const env = { DATABASE_URL: url, SECRET_KEYS, RATE_LIMIT_WORKSPACE_CREATE: '0' }
  const start = { program: values.program, env, heapMb: Number(values.heap) }
  const stall = new Stall(start, load)
  try {
    await stall.prepare()
    const rows = []
    for (const hostile of CORPUS.filter(({ name }) => name.includes(values.only))) {
      const row = await stall.measure(hostile)
      process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${row.join(' | ')}\n`)
      rows.push(row)
    }
    process.stdout.write(
      `${conditions()}; PostgreSQL: ${cluster.describe}; ${values.connections} connections, ${values.seconds} s each, heap of ${values.heap} MB; load, servers and database on the same cores\n\n${table(HEAD, rows)}\n`,
    )
  } finally {
    stall.stop()
    await cluster.stop()
  }
}

// How long an event loop may be held before it is given up.
const PATIENCE_MS = 30_000

const NOBODY: Credentials = { apiKey: '', authToken: '', workspaceId: '', workspaceAuthToken: '' }

/** A server under attack, and an idle one beside it. One that ends is replaced before the next request. */
class Stall {
  readonly #start: Start
  readonly #load: Load
  #servers: { subject: SmallServer; control: SmallServer } | undefined
  #attacker: Credentials = NOBODY
  #other: Credentials = NOBODY

  constructor(start: Start, load: Load) {
    this.#start = start
    this.#load = load
  }

  /**
   * Makes the tenants and what is read. A process of its own stores it, so that none that is measured is warm of it.
   */
  async prepare(): Promise<void> {
    const server = await SmallServer.start({ ...this.#start, heapMb: 4_096 })
    try {
      this.#attacker = await newApiKey(server.url)
      this.#other = await newApiKey(server.url, 'other')
      await fill(server.url, this.#attacker)
      const own = createClient({ baseUrl: server.url, ...this.#other })
      await own.organizations.addOrganizations({ organizations: [{ organizationId: 'acme' }] })
      await own.documents.addDocuments({ organizationId: 'acme', documents: [{ documentId: 'plan' }] })
    } finally {
      server.stop()
    }
  }

  async measure(hostile: Hostile): Promise<(string | number)[]> {
    const { subject, control } = await this.#running()
    const body = JSON.stringify({ data: { organizationId: 'acme', documentIds: [PLACE.documentId] } })
    const path = '/v1/organizations/documents/get'
    const watcher = await Watcher.start({ url: subject.url, path, headers: headersOf(this.#other), body })
    try {
      await delay(1_500)
      await watcher.report()
      for (const server of [subject, control]) await server.longestHold(PATIENCE_MS)
      subject.peakMemory()
      const attack = hostile.isUnread ? holdOpen : send
      const answers = await attack(subject, this.#attacker, hostile, this.#load)
      const calls = await watcher.report()
      const [held, idle] = await Promise.all([subject, control].map((server) => server.longestHold(PATIENCE_MS)))
      return [
        hostile.name,
        answers,
        round(held ?? 0, 0),
        round(idle ?? 0, 0),
        subject.peakMemory(),
        round(quantile(calls, 0.99), 0),
        subject.hasEnded ? 'ended' : 'lives',
      ]
    } finally {
      watcher.stop()
    }
  }

  stop(): void {
    this.#servers?.subject.stop()
    this.#servers?.control.stop()
  }

  async #running(): Promise<{ subject: SmallServer; control: SmallServer }> {
    if (!this.#servers || this.#servers.subject.hasEnded) {
      this.stop()
      const [subject, control] = [await SmallServer.start(this.#start), await SmallServer.start(this.#start)]
      this.#servers = { subject, control }
    }
    return this.#servers
  }
}
