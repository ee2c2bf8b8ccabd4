import type { Config } from '../../../platform/config.ts'
import { DAY_MS } from '../../../platform/date-range.ts'

/** The time (epoch ms) from which events and their deliveries are within the retention. */
export const retentionStart = ({ webhookRetentionDays }: Config, now: number): number =>
  now - webhookRetentionDays * DAY_MS
