import type { Services } from './platform/context.ts'
import type { Database } from './platform/db/db.ts'
import type { Backlog } from './platform/work/backlog.ts'
import type { ProcessState } from './platform/work/heartbeat.ts'
import type { Worker } from './platform/work/worker.ts'

interface Observed {
  database: Database
  services: Services
  worker: Worker
}

/** Registers the metrics that are read when they are scraped: queues, worker, database and memory. */
export function observeProcess({ database, services, worker }: Observed): void {
  observeQueues(services)
  observeDatabase(services, database)
  const { metrics, config, indexCache, denseSearch } = services
  metrics.observe({
    name: 'worker_loop_idle_seconds',
    help: 'Time since each loop of the worker last turned; it turns every second.',
    labels: ['source'],
    read: () => worker.turns().map(({ source, agoMs }) => ({ labels: { source: source.name }, value: agoMs / 1000 })),
  })
  metrics.observe({
    name: 'memory_index_bytes',
    help: 'Memory that the indexes of judgments take, by kind.',
    labels: ['kind'],
    read: () => [
      { labels: { kind: 'lexical' }, value: indexCache.bytes },
      { labels: { kind: 'vectors' }, value: denseSearch.bytes },
    ],
  })
  metrics.observe({
    name: 'memory_index_limit_bytes',
    help: 'Memory that the indexes of judgments may take, by kind.',
    labels: ['kind'],
    read: () => [
      { labels: { kind: 'lexical' }, value: config.memoryIndexMb * 2 ** 20 },
      { labels: { kind: 'vectors' }, value: config.memoryVectorsMb * 2 ** 20 },
    ],
  })
}

function observeQueues({ metrics, clock, queues }: Services): void {
  const read = async (measure: (backlog: Backlog) => number) =>
    (await queues()).map((backlog) => ({
      labels: { queue: backlog.queue, ...(backlog.type !== undefined && { type: backlog.type }) },
      value: measure(backlog),
    }))
  metrics.observe({
    name: 'queue_depth',
    help: 'Items that wait in a queue, counted up to 10,000; at most 10 s old, the same in all processes.',
    labels: ['queue', 'type'],
    read: () => read(({ depth }) => depth),
  })
  metrics.observe({
    name: 'queue_oldest_seconds',
    help: 'How long the oldest item of a queue has been due, 0 if none is; at most 10 s old.',
    labels: ['queue', 'type'],
    read: () => read(({ oldestAt }) => (oldestAt === null ? 0 : Math.max(0, clock.now() - oldestAt) / 1000)),
  })
}

function observeDatabase({ metrics }: Services, database: Database): void {
  metrics.observe({
    name: 'database_connections',
    help: 'Connections for transactions: open, in use, and callers that wait for one.',
    labels: ['state'],
    read: () => {
      const { open, inUse, waiting } = database.state().transactions
      return [
        { labels: { state: 'open' }, value: open },
        { labels: { state: 'in_use' }, value: inUse },
        { labels: { state: 'waiting' }, value: waiting },
      ]
    },
  })
  metrics.observe({
    name: 'database_connections_limit',
    help: 'The most connections for transactions that this process opens.',
    read: () => [{ labels: {}, value: database.state().transactions.most }],
  })
  metrics.observe({
    name: 'database_shared_statements',
    help: 'Statements without an answer on the connections that reads, workers and checks share.',
    labels: ['connections'],
    read: () =>
      Object.entries(database.state().shared).map(([connections, value]) => ({ labels: { connections }, value })),
  })
  metrics.observe({
    name: 'database_listener_connected',
    help: '1 while notifications arrive that wake the worker, 0 while it only polls; 1 in a process without a worker.',
    read: () => [{ labels: {}, value: Number(database.state().isListening) }],
  })
}

/** Returns a function that reads what a heartbeat says of the process. */
export const stateReader =
  (database: Database, { config, indexCache, denseSearch }: Services, sendsMail: boolean) =>
  (): Pick<ProcessState, 'index' | 'sendsMail' | 'connections'> => ({
    sendsMail,
    index: {
      lexicalBytes: indexCache.bytes,
      vectorBytes: denseSearch.bytes,
      limitBytes: (config.memoryIndexMb + config.memoryVectorsMb) * 2 ** 20,
    },
    connections: database.state().transactions,
  })
