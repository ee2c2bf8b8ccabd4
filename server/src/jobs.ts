import { deleteUserDataBatch } from './areas/user-data/delete-user-data.job.ts'
import { announceDisabled, announceExhausted } from './areas/webhooks/notices.job.ts'
import type { Job } from './platform/work/job.ts'

/** Every job that a worker can run, one line per area. */
export const jobs: Job[] = [announceDisabled, announceExhausted, deleteUserDataBatch]
