import type { Config } from '../../../platform/config.ts'

const DAY_MS = 86_400_000

/** The time (epoch ms) from which events and their deliveries are within the retention. */
export const retentionStart = ({ webhookRetentionDays }: Config, now: number): number =>
  now - webhookRetentionDays * DAY_MS
