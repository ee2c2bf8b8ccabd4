import type { Config } from '../../../platform/config.ts'

const DAY_MS = 86_400_000

/** From this time on, events and what became of their deliveries are within the retention. */
export const keptSince = ({ webhookRetentionDays }: Config, now: number): number => now - webhookRetentionDays * DAY_MS
