import { once } from 'node:events'
import type { Server } from '../api.ts'

/** How calls are measured. */
export interface Load {
  /** Measured of each kind, after twice as many that are not counted. */
  calls: number
  /** At a time. */
  concurrency: number
}

/** What the servers use meanwhile: CPU milliseconds, bytes at the end, and the longest block of an event loop. */
export async function used(servers: Server[], work: () => Promise<void>) {
  for (const { child } of servers) child.send('start')
  await work()
  const reports = servers.map(async ({ child }) => {
    child.send('stop')
    const [{ cpu, rss, heldUpMs }] = await once(child, 'message')
    return { cpu: (cpu.user + cpu.system) / 1000, rss: rss as number, heldUpMs: heldUpMs as number }
  })
  const all = await Promise.all(reports)
  const sum = (figure: 'cpu' | 'rss') => all.reduce((total, report) => total + report[figure], 0)
  return { cpu: sum('cpu'), rss: sum('rss'), heldUpMs: Math.max(...all.map(({ heldUpMs }) => heldUpMs)) }
}

/** Makes the calls over a number of connections, spread evenly over the targets. */
export async function inParallel<To>(
  to: To[],
  concurrency: number,
  calls: number,
  call: (to: To) => Promise<number>,
): Promise<number[]> {
  const times: number[] = []
  let left = calls
  async function connection(n: number): Promise<void> {
    while (left-- > 0) times.push(await call(to[n % to.length] as To))
  }
  await Promise.all(Array.from({ length: concurrency }, (_, n) => connection(n)))
  return times
}
