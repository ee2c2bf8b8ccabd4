import { removeThreads } from './areas/comments/remove-threads.job.ts'
import { runMigration } from './areas/documents/migrate-document.job.ts'
import { removeOrganization } from './areas/organizations/remove-organization.job.ts'
import { deleteUserDataBatch } from './areas/user-data/delete-user-data.job.ts'
import { announceDisabled, announceExhausted } from './areas/webhooks/operational-events.job.ts'
import { deleteApiKeyBatch } from './areas/workspaces/delete-api-key.job.ts'
import type { Job } from './platform/work/job.ts'

/** The jobs that a transaction can enqueue. */
export const jobs: Job[] = [
  announceDisabled,
  announceExhausted,
  deleteUserDataBatch,
  deleteApiKeyBatch,
  runMigration,
  removeThreads,
  removeOrganization,
]
