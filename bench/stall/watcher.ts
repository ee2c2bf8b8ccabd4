import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { built } from '../built.ts'

/** What a watcher calls, over and over. */
export interface Watched {
  url: string
  path: string
  headers: Record<string, string>
  body: string
}

/** Calls an operation every few milliseconds from a process of its own, so that the load beside it is not measured. */
export class Watcher {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  static async start(watched: Watched): Promise<Watcher> {
    const child = fork(await built('stall/watcher-process'))
    child.send(watched)
    return new Watcher(child)
  }

  /** The times in milliseconds of the calls since the last report, and of the one under way, ascending. */
  async report(): Promise<number[]> {
    const answer = once(this.#child, 'message')
    this.#child.send('report')
    const [times] = await answer
    return times
  }

  stop(): void {
    this.#child.kill('SIGKILL')
  }
}
