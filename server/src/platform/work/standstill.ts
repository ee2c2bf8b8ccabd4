import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../context.ts'
import type { QueueMeter } from './queue-meter.ts'
import type { Worker } from './worker.ts'

interface StandstillOptions {
  worker: Worker
  meter: QueueMeter
  clock: Clock
  /** How long a loop may stand still. */
  afterMs: number
}

const PATIENCE_MS = 1_000

/**
 * Returns why the worker of this process counts as stuck: one of its loops has not turned for a time although work is
 * due. Undefined if none has, or if the queues cannot be measured. It reads the database only if a loop stands still.
 */
export async function findStandstill({
  worker,
  meter,
  clock,
  afterMs,
}: StandstillOptions): Promise<string | undefined> {
  const still = worker.turns().filter(({ source, agoMs }) => agoMs >= afterMs && source.backlog)
  if (still.length === 0) return undefined
  const unknown = delay(PATIENCE_MS, undefined, { ref: false })
  const backlogs = await Promise.race([meter.read().catch(() => undefined), unknown])
  for (const { source, agoMs } of still) {
    const due = (backlogs?.get(source) ?? [])
      .filter(({ oldestAt }) => oldestAt !== null && oldestAt <= clock.now())
      .reduce((sum, { depth }) => sum + depth, 0)
    if (due > 0)
      return `The worker's loop "${source.name}" has not turned for ${Math.floor(agoMs / 1000)} s; ${due} due.`
  }
  return undefined
}
