import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { AS_STARTED } from '../built.ts'

/** Ticks of a second in /proc (proc(5), USER_HZ). */
const TICKS = 100
const MOST_START_MS = 120_000

/** What a process uses while nobody asks it. */
export interface Use {
  /** In percent of a core: of all threads, and of the main thread. */
  cpu: number
  mainThread: number
  /** Resident memory in MB. */
  memory: number
}

/** A built server as `npm start` runs it, on a free port. Linux only: /proc tells what it uses. */
export class RestingProcess {
  readonly url: string
  /** Milliseconds from the start of Node to the greeting, and to the first answer of `/readyz`. */
  readonly greetedMs: number
  readonly answeredMs: number
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, url: string, greetedMs: number, answeredMs: number) {
    this.#child = child
    this.url = url
    this.greetedMs = greetedMs
    this.answeredMs = answeredMs
  }

  /** Resolves when it is ready. Throws if it ends before, or is not ready within two minutes. */
  static async start(program: string, env: Record<string, string>): Promise<RestingProcess> {
    const from = performance.now()
    const child = fork(program, {
      ...AS_STARTED,
      env: { ...process.env, ...env, PORT: '0', LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    const url = await greeting(child)
    const greetedMs = performance.now() - from
    while (!(await fetch(`${url}/readyz`)).ok) await delay(5)
    return new RestingProcess(child, url, greetedMs, performance.now() - from)
  }

  /** What it uses within so many seconds, from `settleMs` after this call. */
  async use({ settleMs, seconds }: { settleMs: number; seconds: number }): Promise<Use> {
    await delay(settleMs)
    const { pid } = this.#child
    const before = [ticksOf(`/proc/${pid}/stat`), ticksOf(`/proc/${pid}/task/${pid}/stat`)] as const
    await delay(seconds * 1_000)
    const after = [ticksOf(`/proc/${pid}/stat`), ticksOf(`/proc/${pid}/task/${pid}/stat`)] as const
    const percent = (ticks: number) => (100 * ticks) / TICKS / seconds
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return {
      cpu: percent(after[0] - before[0]),
      mainThread: percent(after[1] - before[1]),
      memory: (Number(kilobytes) * 1_024) / 1e6,
    }
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await ended
  }
}

/** The address in the greeting. */
async function greeting(child: ChildProcess): Promise<string> {
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The process ended before its greeting.')))
  const greeted = new Promise<string>((resolve) => {
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      text += part
      const [, url] = /is ready at (\S+)/.exec(text) ?? []
      if (url) resolve(url)
    })
  })
  const late = delay(MOST_START_MS, undefined, { ref: false }).then(() =>
    Promise.reject(new Error('The process did not start within two minutes.')),
  )
  return Promise.race([greeted, ended, late])
}

/** The ticks of the processor, user and system, in a `stat` file. The name before them may hold spaces. */
function ticksOf(path: string): number {
  const stat = readFileSync(path, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}
