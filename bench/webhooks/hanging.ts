import { median, round } from '../table.ts'
import { pacedWrites, percentiles, type Setting } from './measure.ts'
import { newCustomer, type Service } from './setup.ts'

// Longer than a request waits for its answer, so that time-outs and their records are among it.
const SECONDS = 20
const WARM_UP_SECONDS = 3
const BESIDE = 8
const ROUNDS = 3

/**
 * The time from event to arrival at one endpoint, beside others that answer, and beside as many that accept and never
 * answer, from when they begin to; each of them gets as many events as the one. A row for one beside, and one for
 * several: medians of three rounds, each with endpoints of its own.
 */
export async function hanging(
  service: Service,
  { receiver, worker }: Pick<Setting, 'receiver' | 'worker'>,
  perSecond: number,
): Promise<number[][]> {
  async function measured(beside: number): Promise<number[]> {
    const customer = await newCustomer(service, receiver.url, 1 + beside)
    const [good = '', ...others] = customer.paths
    await receiver.tell({ secrets: customer.secrets })
    let written = 0
    const measure = async (seconds: number) => {
      await receiver.tell({ reset: true })
      const before = Math.ceil(written / (1 + beside))
      await pacedWrites(perSecond, seconds, async (count) => {
        written += count
        await customer.emit(count)
      })
      const expected = Math.ceil(written / (1 + beside)) - before
      for (;;) {
        const { latencies } = await receiver.tell({})
        const arrived = latencies[good] ?? []
        if (arrived.length >= expected) return percentiles(arrived)
        await receiver.arrival()
      }
    }
    await measure(WARM_UP_SECONDS)
    const without = await measure(SECONDS)
    await receiver.tell({ hanging: others })
    const withThem = await measure(SECONDS)
    // Nothing of this round is to hang beside the next.
    await customer.deleteEndpoints()
    await worker.hold()
    worker.go()
    return [...without, ...withThem, (withThem[1] ?? 0) / (without[1] ?? 1)]
  }

  const rows: number[][] = []
  for (const beside of [1, BESIDE]) {
    const samples: number[][] = []
    while (samples.length < ROUNDS) samples.push(await measured(beside))
    const medians = (samples[0] ?? []).map((_, column) => round(median(samples.map((sample) => sample[column] ?? 0))))
    rows.push([beside, Math.round(perSecond), ...medians])
  }
  return rows
}
