import { setTimeout as delay } from 'node:timers/promises'
import { median, round } from '../table.ts'
import type { Processes, Receiver } from './processes.ts'
import { type Customer, recorded, type Service } from './setup.ts'

// Events of one transaction at most.
const BATCH = 100
const PACE_MS = 10
const PATIENCE_MS = 120_000
/** After this nothing of a delivery is left to do. */
const IDLE_MS = 50
/** Deliveries of a backlog that warms up. */
export const WARM_UP = 1_000

/** What a benchmark of one customer works with. */
export interface Setting {
  service: Service
  receiver: Receiver
  worker: Awaited<ReturnType<Processes['worker']>>
  loop: Awaited<ReturnType<Processes['loop']>>
  customer: Customer
}

export interface Length {
  rounds: number
  seconds: number
}

/** Measures the deliveries to one customer; throws unless each arrives, once, and verifies. */
export class Bench {
  readonly #setting: Setting
  #emitted = 0

  constructor(setting: Setting) {
    this.#setting = setting
  }

  /** With so many under way, and then at half of that rate. */
  async endToEnd(concurrency: number, { rounds, seconds }: Length): Promise<(number | string)[]> {
    const samples = await interleaved(rounds, async (isWarmUp) => {
      const length = isWarmUp ? 1 : seconds
      const bare = await this.#setting.loop(concurrency, length)
      return { bare, ours: await this.full(concurrency, length) }
    })
    const ours = samples.map((sample) => sample.ours)
    const perSecond = median(ours.map((sample) => sample.perSecond))
    const half = await this.paced(perSecond / 2, seconds * rounds)
    return [
      Math.round(perSecond),
      Math.round(median(samples.map(({ bare }) => bare))),
      round(median(samples.map((sample) => sample.ours.perSecond / sample.bare))),
      ...percentiles(ours.flatMap(({ latencies }) => latencies)),
      Math.round(half.perSecond),
      ...percentiles(half.latencies),
      '100 %',
    ]
  }

  /** Of a backlog that was written while the worker was held. */
  async backlog(concurrency: number, deliveries: number, { rounds, seconds }: Length): Promise<(number | string)[]> {
    const samples = await interleaved(rounds, async (isWarmUp) => {
      const bare = await this.#setting.loop(concurrency, isWarmUp ? 1 : seconds)
      return { bare, ours: await this.drained(isWarmUp ? WARM_UP : deliveries) }
    })
    return [
      deliveries,
      Math.round(median(samples.map(({ ours }) => ours))),
      Math.round(median(samples.map(({ bare }) => bare))),
      round(median(samples.map(({ ours, bare }) => ours / bare))),
      '100 %',
    ]
  }

  /** From the commit to the arrival of single events, each after a pause in which nothing is under way. */
  async idle(events: number): Promise<number[]> {
    const latencies: number[] = []
    while (latencies.length < events) {
      await delay(IDLE_MS)
      let untilCommit = 0
      const sample = await this.#sample(async (emit) => {
        untilCommit = await emit(1)
      })
      latencies.push(...sample.latencies.map((latency) => latency - untilCommit))
    }
    return percentiles(latencies)
  }

  /** Keeps so many deliveries under way: as they arrive, as many events are written. */
  full(concurrency: number, seconds: number): Promise<Sample> {
    const { receiver } = this.#setting
    return this.#sample(async (emit) => {
      const end = performance.now() + seconds * 1000
      for (let emitted = 0; performance.now() < end; ) {
        const count = Math.min(concurrency - (emitted - receiver.arrived), BATCH)
        if (count > 0) {
          emitted += count
          await emit(count)
        } else await receiver.arrival()
      }
    })
  }

  /** Writes so many events a second, however their deliveries fare. */
  paced(perSecond: number, seconds: number): Promise<Sample> {
    return this.#sample((emit) => pacedWrites(perSecond, seconds, emit))
  }

  /** How many a second are sent of so many that were written while the worker was held. */
  async drained(deliveries: number): Promise<number> {
    const { worker, customer, receiver } = this.#setting
    await worker.hold()
    await receiver.tell({ reset: true })
    for (let written = 0; written < deliveries; written += BATCH) await customer.emit(BATCH)
    const start = performance.now()
    worker.go()
    return (await this.#finish(Math.ceil(deliveries / BATCH) * BATCH, start)).perSecond
  }

  async #sample(write: (emit: (count: number) => Promise<number>) => Promise<void>): Promise<Sample> {
    const { customer, receiver } = this.#setting
    await receiver.tell({ reset: true })
    const start = performance.now()
    let emitted = 0
    await write(async (count) => {
      emitted += count
      return customer.emit(count)
    })
    return this.#finish(emitted, start)
  }

  async #finish(emitted: number, start: number): Promise<Sample> {
    const { receiver } = this.#setting
    await receiver.arrivals(emitted)
    const elapsed = (performance.now() - start) / 1000
    const { arrived, refused, repeated, latencies } = await receiver.tell({})
    if (arrived !== emitted || refused > 0 || repeated > 0)
      throw new Error(`Of ${emitted} deliveries ${arrived} arrived, ${refused} unverified, ${repeated} again.`)
    this.#emitted += emitted
    return { perSecond: arrived / elapsed, latencies: Object.values(latencies).flat() }
  }

  /** Throws unless every attempt, and what was stored before, is in the database. */
  async expectRecorded(stored: number): Promise<void> {
    const { service, customer } = this.#setting
    const expected = stored + this.#emitted
    for (let waited = 0; ; waited += 100) {
      const count = await recorded(service.database, customer)
      if (count === expected) return
      if (waited > PATIENCE_MS) throw new Error(`Of ${expected} attempts ${count} are recorded.`)
      await delay(100)
    }
  }
}

interface Sample {
  perSecond: number
  latencies: number[]
}

/** Writes so many events a second for so long. */
export async function pacedWrites(
  perSecond: number,
  seconds: number,
  emit: (count: number) => Promise<unknown>,
): Promise<void> {
  const start = performance.now()
  for (let emitted = 0; performance.now() < start + seconds * 1000; await delay(PACE_MS)) {
    const due = Math.floor(((performance.now() - start) / 1000) * perSecond) - emitted
    emitted += due
    if (due > 0) await emit(due)
  }
}

/** The rounds of both sides, in turn; the first one warms up and is not counted. */
export async function interleaved<Round>(
  rounds: number,
  measure: (isWarmUp: boolean) => Promise<Round>,
): Promise<Round[]> {
  await measure(true)
  const samples: Round[] = []
  while (samples.length < rounds) samples.push(await measure(false))
  return samples
}

export function percentiles(values: number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b)
  return [0.5, 0.95, 0.99].map((part) => round(sorted[Math.ceil(part * sorted.length) - 1] ?? 0, 1))
}
