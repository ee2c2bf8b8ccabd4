import { setTimeout as delay } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

interface Observation<Label extends string> {
  name: string
  help: string
  labels?: Label[]
  read(): Reading<Label>[] | Promise<Reading<Label>[]>
}

interface Reading<Label extends string> {
  labels: Partial<Record<Label, string>>
  value: number
}

/** The metrics of the process, for Prometheus. */
export interface Metrics {
  httpRequests: Counter<'operation' | 'status'>
  httpDuration: Histogram<'operation'>
  jobsProcessed: Counter<'job' | 'outcome'>
  deliveries: Counter<'outcome'>
  deliveryLatency: Histogram
  emails: Counter<'outcome'>
  permissionProviderRequests: Counter<'outcome'>
  embeddings: Counter<'outcome'>
  knowledgeFiles: Counter<'outcome'>
  unembeddedChanges: Gauge
  /** Adds a gauge that is read at each scrape. While reading fails or takes over a second, it shows nothing. */
  observe<Label extends string>(gauge: Observation<Label>): void
  render(): Promise<{ contentType: string; text: string }>
}

/** How often the event loop's delay is measured. At 10 ms, the default, it took half of the CPU of an idle process. */
const MEASURED_EVERY_MS = 100

/** Creates the metrics in a registry of their own, with those of the process (CPU, memory, event loop). */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: MEASURED_EVERY_MS })
  return {
    httpRequests: new Counter({
      name: 'http_requests_total',
      help: 'Answered requests by operation and HTTP status.',
      labelNames: ['operation', 'status'],
      registers,
    }),
    httpDuration: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the arrival of a request to the end of its answer.',
      labelNames: ['operation'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    jobsProcessed: new Counter({
      name: 'jobs_processed_total',
      help: 'Attempts to run a job by job and outcome.',
      labelNames: ['job', 'outcome'],
      registers,
    }),
    deliveries: new Counter({
      name: 'deliveries_total',
      help: 'Attempts to deliver a webhook event by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    deliveryLatency: new Histogram({
      name: 'delivery_latency_seconds',
      help: 'Time from when a delivery is due to the end of its attempt.',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200],
      registers,
    }),
    emails: new Counter({
      name: 'emails_total',
      help: 'Attempts to send an email by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    permissionProviderRequests: new Counter({
      name: 'permission_provider_requests_total',
      help: 'Requests to permission providers by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    ...embeddingMetrics(registers),
    knowledgeFiles: new Counter({
      name: 'knowledge_files_total',
      help: 'Attempts to read a knowledge file by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    observe: (observation) => observe(registry, observation),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}

const embeddingMetrics = (registers: Registry[]): Pick<Metrics, 'embeddings' | 'unembeddedChanges'> => ({
  embeddings: new Counter({
    name: 'embeddings_total',
    help: 'Texts of judgments embedded or refused by the model, and batches that failed.',
    labelNames: ['outcome'],
    registers,
  }),
  unembeddedChanges: new Gauge({
    name: 'judgment_changes_unembedded',
    help: 'Changes to judgments that the embedding model has not seen yet, at most 15 s old.',
    registers,
  }),
})

const PATIENCE_MS = 1_000

function observe<Label extends string>(registry: Registry, observation: Observation<Label>): void {
  const { name, help, labels = [], read } = observation
  const gauge = new Gauge<Label>({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    async collect() {
      const readings = await readSoon(read)
      // What was read earlier must not pass for the present.
      gauge.reset()
      // `reset` gives a gauge without labels the value 0.
      if (labels.length === 0) gauge.remove()
      for (const { labels, value } of readings) gauge.set(labels, value)
    },
  })
}

/** What `read` returns, or nothing if it fails or takes too long: the other metrics matter most then. */
async function readSoon<Result>(read: () => Result[] | Promise<Result[]>): Promise<Result[]> {
  const waited = new AbortController()
  const tooLate = delay(PATIENCE_MS, [], { signal: waited.signal, ref: false }).catch(() => [])
  try {
    return await Promise.race([read(), tooLate])
  } catch {
    return []
  } finally {
    waited.abort()
  }
}
