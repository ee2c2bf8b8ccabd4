import type { Worker } from 'node:worker_threads'
import { startWorkerThread } from '../worker-thread.ts'
import { type Embedder, EmbedderError } from './embedder.ts'
import type { OnnxOrder, OnnxReport } from './onnx-protocol.ts'

const SEARCH_TIMEOUT_MS = 2_000

/**
 * Loads the model of a directory in a thread of its own, so that it does not block the event loop. Throws when the
 * model cannot be loaded. If the thread ends, the next call starts another.
 */
export async function onnxEmbedder(directory: string): Promise<Embedder> {
  let current: Promise<OnnxThread> | undefined
  let isClosed = false

  function running(): Promise<OnnxThread> {
    current ??= OnnxThread.start(directory, () => {
      current = undefined
    })
    return current
  }

  const { model } = await running()
  return {
    model,
    async embed(texts, { purpose }) {
      if (isClosed) throw unavailable('It was closed.')
      const thread = await running().catch((error: Error) => {
        throw unavailable(error.message)
      })
      return thread.embed(texts, purpose === 'search')
    },
    async close() {
      isClosed = true
      await (await current)?.stop()
    },
  }
}

interface Waiting {
  resolve(vectors: Float32Array[]): void
  reject(error: EmbedderError): void
}

class OnnxThread {
  readonly model: string
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #orders = 0

  private constructor(worker: Worker, model: string) {
    this.#worker = worker
    this.model = model
    worker.on('message', (report: OnnxReport) => {
      if (!('id' in report)) return
      if ('vectors' in report) this.#waiting.get(report.id)?.resolve(report.vectors)
      else this.#waiting.get(report.id)?.reject(unavailable(report.failure))
    })
    worker.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(unavailable('Its thread ended.'))
    })
  }

  /** Resolves when the model is loaded; `onExit` is called when the thread ends, for any reason. */
  static start(directory: string, onExit: () => void): Promise<OnnxThread> {
    const worker = startWorkerThread('onnx-worker', import.meta.url, directory)
    return new Promise((resolve, reject) => {
      worker.once('message', (report: OnnxReport) => {
        if ('model' in report) resolve(new OnnxThread(worker, report.model))
        if ('fault' in report) reject(new Error(report.fault))
      })
      worker.on('error', reject)
      worker.on('exit', () => {
        onExit()
        reject(new Error('Its thread ended.'))
      })
    })
  }

  async embed(texts: string[], isSearch: boolean): Promise<Float32Array[]> {
    const id = ++this.#orders
    const order: OnnxOrder = { id, texts, isSearch }
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject })
        this.#worker.postMessage(order)
        const giveUp = () => reject(unavailable(`No vectors within ${SEARCH_TIMEOUT_MS} ms.`))
        if (isSearch) timer = setTimeout(giveUp, SEARCH_TIMEOUT_MS)
      })
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(id)
    }
  }

  async stop(): Promise<void> {
    await this.#worker.terminate()
  }
}

const unavailable = (why: string) => new EmbedderError('unavailable', `The ONNX model gave no vectors. ${why}`)
