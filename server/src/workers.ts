import { emailDeliveries } from './areas/email/deliver.worker.ts'
import { emailPruning } from './areas/email/prune.worker.ts'
import { memoryAlerts } from './areas/insights/raise-alerts.worker.ts'
import { knowledgeReading } from './areas/knowledge/read-knowledge.worker.ts'
import { judgmentChunks } from './areas/memory/chunk-judgments.worker.ts'
import { judgmentEmbeddings } from './areas/memory/embed-judgments.worker.ts'
import { judgmentEvaluations } from './areas/memory/evaluate.worker.ts'
import { judgmentHeads } from './areas/memory/fit-head.worker.ts'
import { judgmentPruning } from './areas/memory/prune.worker.ts'
import { webhookDeliveries } from './areas/webhooks/deliver.worker.ts'
import { webhookPruning } from './areas/webhooks/prune.worker.ts'
import type { WorkerContext } from './platform/context.ts'
import { idempotencyPruning } from './platform/http/idempotency.ts'
import { recentRequestPruning } from './platform/http/recent-requests.ts'
import type { Source } from './platform/work/worker.ts'

/**
 * The sources of a worker's work besides the job queue. One that the configuration leaves without work returns
 * undefined.
 */
export const workers: ((context: WorkerContext) => Source | undefined)[] = [
  emailDeliveries,
  emailPruning,
  judgmentChunks,
  judgmentEmbeddings,
  judgmentEvaluations,
  judgmentHeads,
  judgmentPruning,
  knowledgeReading,
  memoryAlerts,
  webhookDeliveries,
  webhookPruning,
  idempotencyPruning,
  recentRequestPruning,
]
