import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Watched } from './watcher.ts'

/** After how many milliseconds a call is given up. It counts as having taken so long. */
const PATIENCE_MS = 30_000
const PAUSE_MS = 10

async function watch({ url, path, headers, body }: Watched): Promise<void> {
  const pool = new Pool(url, { connections: 1, pipelining: 1, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS })
  let times: number[] = []
  let start: number | undefined
  process.on('message', () => {
    const all = start === undefined ? times : [...times, performance.now() - start]
    process.send?.(all.sort((a, b) => a - b))
    times = []
  })
  process.on('disconnect', () => process.exit())
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
    start = undefined
    await delay(PAUSE_MS)
  }
}

const [watched] = await once(process, 'message')
await watch(watched)
