import { median, round } from '../table.ts'
import { type Bench, interleaved, type Length, WARM_UP } from './measure.ts'

/** The same customer in a new database and in one with much stored. */
export interface Pair {
  fresh: Bench
  stored: Bench
}

/** Deliveries a second of both, in turn, end to end and from a backlog, and the median of the ratios of the rounds. */
export async function besideStored(
  { fresh, stored }: Pair,
  { concurrency, deliveries, length }: { concurrency: number; deliveries: number; length: Length },
): Promise<[string, number, number, number][]> {
  const kinds: [string, (bench: Bench, isWarmUp: boolean) => Promise<number>][] = [
    ['end to end', async (bench, isWarmUp) => (await bench.full(concurrency, isWarmUp ? 1 : length.seconds)).perSecond],
    ['backlog', (bench, isWarmUp) => bench.drained(isWarmUp ? WARM_UP : deliveries)],
  ]
  const rows: [string, number, number, number][] = []
  for (const [kind, rate] of kinds) {
    const samples = await interleaved(length.rounds, async (isWarmUp) => ({
      fresh: await rate(fresh, isWarmUp),
      stored: await rate(stored, isWarmUp),
    }))
    rows.push([
      kind,
      Math.round(median(samples.map((sample) => sample.fresh))),
      Math.round(median(samples.map((sample) => sample.stored))),
      round(median(samples.map((sample) => sample.stored / sample.fresh))),
    ])
  }
  return rows
}
