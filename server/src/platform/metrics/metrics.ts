import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** The metrics of the process, for Prometheus. */
export interface Metrics {
  httpRequests: Counter<'operation' | 'status'>
  httpDuration: Histogram<'operation'>
  jobsProcessed: Counter<'job' | 'outcome'>
  deliveries: Counter<'outcome'>
  emails: Counter<'outcome'>
  permissionProviderRequests: Counter<'outcome'>
  embeddings: Counter<'outcome'>
  unembeddedChanges: Gauge
  render(): Promise<{ contentType: string; text: string }>
}

/** Creates the metrics in a registry of their own, with those of the process (CPU, memory, event loop). */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
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
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}
