import type { Worker } from 'node:worker_threads'
import { startWorkerThread } from '../threads/worker-thread.ts'
import { type Embedder, EmbedderError, SEARCH_TIMEOUT_MS } from './embedder.ts'
import type { OnnxMessage, OnnxRequest } from './onnx-protocol.ts'

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
  #requests = 0

  private constructor(worker: Worker, model: string) {
    this.#worker = worker
    this.model = model
    worker.on('message', (message: OnnxMessage) => {
      if (!('id' in message)) return
      if ('vectors' in message) this.#waiting.get(message.id)?.resolve(message.vectors)
      else this.#waiting.get(message.id)?.reject(unavailable(message.failure))
    })
    worker.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(unavailable('Its thread ended.'))
    })
  }

  /** Resolves when the model is loaded; `onExit` is called when the thread ends, for any reason. */
  static start(directory: string, onExit: () => void): Promise<OnnxThread> {
    const worker = startWorkerThread('onnx-worker', import.meta.url, directory)
    return new Promise((resolve, reject) => {
      worker.once('message', (message: OnnxMessage) => {
        if ('model' in message) resolve(new OnnxThread(worker, message.model))
        if ('fault' in message) reject(new Error(message.fault))
      })
      worker.on('error', reject)
      worker.on('exit', () => {
        onExit()
        reject(new Error('Its thread ended.'))
      })
    })
  }

  async embed(texts: string[], isSearch: boolean): Promise<Float32Array[]> {
    const id = ++this.#requests
    const request: OnnxRequest = { id, texts, isSearch }
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject })
        this.#worker.postMessage(request)
        const timeOut = () => reject(unavailable(`No vectors within ${SEARCH_TIMEOUT_MS} ms.`))
        if (isSearch) timer = setTimeout(timeOut, SEARCH_TIMEOUT_MS)
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
