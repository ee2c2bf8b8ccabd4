import { setTimeout as delay } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { Pool } from 'undici'

/** What a watcher calls, over and over. */
interface Watched {
  url: string
  path: string
  headers: Record<string, string>
  body: string
}

/** After how many milliseconds a call is given up. It counts as having taken so long. */
export const PATIENCE_MS = 30_000
const PAUSE_MS = 10

/** Calls an operation every few milliseconds from a thread of its own, so that the load beside it is not measured. */
export class Watcher {
  readonly #worker: Worker

  constructor(watched: Watched) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: watched, execArgv: ['--import', 'tsx'] })
  }

  /** The times in milliseconds of the calls since the last report, and of the one under way, ascending. */
  report(): Promise<number[]> {
    return new Promise((resolve) => {
      this.#worker.once('message', resolve)
      this.#worker.postMessage('report')
    })
  }

  async stop(): Promise<void> {
    await this.#worker.terminate()
  }
}

async function watch({ url, path, headers, body }: Watched): Promise<void> {
  const pool = new Pool(url, { connections: 1, pipelining: 1, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS })
  let times: number[] = []
  let start = performance.now()
  parentPort?.on('message', () => {
    const all = [...times, performance.now() - start]
    parentPort?.postMessage(all.sort((a, b) => a - b))
    times = []
  })
  for (;;) {
    start = performance.now()
    const isAnswered = await pool
      .request({ method: 'POST', path, headers, body })
      .then(async (answer) => {
        await answer.body.dump()
        return answer.statusCode === 200
      })
      .catch(() => false)
    times.push(isAnswered ? performance.now() - start : PATIENCE_MS)
    await delay(PAUSE_MS)
    start = performance.now()
  }
}

if (!isMainThread) void watch(workerData)
