import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { AS_STARTED, built } from '../built.ts'

/** How a server is started: `program` is its built `main.js`, `heapMb` the size of its old generation. */
export interface Start {
  program: string
  env: Record<string, string>
  heapMb: number
}

/** The built server as a process of its own with a small heap, whose event loop is watched from within. */
export class SmallServer {
  readonly url: string
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, url: string) {
    this.#child = child
    this.url = url
  }

  /** Resolves when it serves. Throws if it does not within 30 s. */
  static async start({ program, env, heapMb }: Start): Promise<SmallServer> {
    const port = await freePort()
    const child = fork(program, {
      execArgv: [...AS_STARTED.execArgv, `--max-old-space-size=${heapMb}`, '--import', await built('stall/loop-delay')],
      env: { ...process.env, ...env, PORT: String(port), LOG_LEVEL: 'error' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const server = new SmallServer(child, `http://127.0.0.1:${port}`)
    for (let tries = 0; tries < 300; tries++) {
      const isReady = await fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(1_000) }).then(
        ({ ok }) => ok,
        () => false,
      )
      if (isReady) return server
      await delay(100)
    }
    throw new Error('The server did not start within 30 s.')
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /**
   * The longest time in milliseconds that the event loop was held since the last call. At most `limitMs` is waited for.
   */
  async longestHold(limitMs: number): Promise<number> {
    if (this.hasEnded) return Number.NaN
    const answer = once(this.#child, 'message', { signal: AbortSignal.timeout(limitMs) })
    this.#child.send('report')
    return answer.then(([held]) => Number(held)).catch(() => limitMs)
  }

  /** The most resident memory in MiB since the last call (proc(5), VmHWM and clear_refs). */
  peakMemory(): number {
    if (this.hasEnded) return Number.NaN
    const { pid } = this.#child
    const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    return Math.round(Number(kilobytes) / 1024)
  }

  stop(): void {
    this.#child.kill('SIGKILL')
  }
}

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
