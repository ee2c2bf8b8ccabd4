import type { Worker } from 'node:worker_threads'
import { startWorkerThread } from '../../../platform/threads/worker-thread.ts'
import { textsFrom } from '../lexical/texts.ts'
import type { TextBuilder } from './text-builder.ts'
import { buffersOf, type LastOrder, type TextAnswer, type TextOrder } from './text-protocol.ts'

/** The thread that makes texts could not start, or has ended. */
export class ThreadLost extends Error {
  override name = 'ThreadLost'
}

/**
 * Makes texts in a worker thread. All builds of the process share one; it ends with the last of them. A call rejects
 * with `ThreadLost` if it does not start or dies; then begin again.
 */
export function buildInThread(): TextBuilder {
  const thread = TextThread.join()
  const build = thread.builds++
  let bytes = 0
  let isOver = false
  let before: Promise<unknown> = Promise.resolve()

  async function ask(order: TextOrder): Promise<TextAnswer> {
    const answer = await thread.ask(order)
    bytes = answer.bytes
    return answer
  }

  return {
    get bytes() {
      return bytes
    },
    async add(texts) {
      const added = ask({ build, do: 'add', texts })
      added.catch(() => {})
      const last = before
      before = added
      // While the thread works on these, the next ones are read.
      await last
    },
    async finish() {
      const { parts } = await ask({ build, do: 'finish' })
      isOver = true
      if (!parts) throw new ThreadLost('The thread gave no texts.')
      return textsFrom(parts)
    },
    stop() {
      if (!isOver) ask({ build, do: 'drop' }).catch(() => {})
      thread.leave()
    },
  }
}

interface Asked {
  resolve(answer: TextAnswer): void
  reject(error: ThreadLost): void
}

class TextThread {
  static #running: TextThread | undefined
  /** How many builds have begun. */
  builds = 0
  readonly #worker: Worker
  /** What has no answer yet, in the order of the answers. */
  readonly #asked: Asked[] = []
  #members = 0
  #lost: ThreadLost | undefined

  private constructor() {
    this.#worker = startWorkerThread('text-thread', import.meta.url, undefined)
    // A process that has nothing else to do ends.
    this.#worker.unref()
    this.#worker.on('message', (answer: TextAnswer) => this.#asked.shift()?.resolve(answer))
    this.#worker.on('error', (error) => this.#lose(error.message))
    this.#worker.on('exit', () => this.#lose('It has ended.'))
  }

  /** The thread that runs, or a new one. */
  static join(): TextThread {
    TextThread.#running ??= new TextThread()
    TextThread.#running.#members++
    return TextThread.#running
  }

  leave(): void {
    if (--this.#members > 0) return
    this.#lose('It is not needed any more.')
    const last: LastOrder = { do: 'end' }
    this.#worker.postMessage(last)
  }

  ask(order: TextOrder): Promise<TextAnswer> {
    if (this.#lost) return Promise.reject(this.#lost)
    return new Promise((resolve, reject) => {
      this.#asked.push({ resolve, reject })
      this.#worker.postMessage(order, buffersOf(order))
    })
  }

  #lose(why: string): void {
    this.#lost ??= new ThreadLost(why)
    if (TextThread.#running === this) TextThread.#running = undefined
    for (const { reject } of this.#asked.splice(0)) reject(this.#lost)
  }
}
