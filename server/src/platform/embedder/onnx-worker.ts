import { setImmediate } from 'node:timers/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { loadOnnxModel, type OnnxModel } from './onnx-model.ts'
import type { OnnxMessage, OnnxRequest } from './onnx-protocol.ts'

/** The number of texts computed at once. A search waits for at most this many. */
const BATCH = 8

interface Job extends OnnxRequest {
  vectors: Float32Array[]
}

/** Computes requests a few texts at a time, those of searches first. */
class RequestQueue {
  readonly #port: MessagePort
  readonly #model: OnnxModel
  readonly #jobs: Job[] = []
  #isRunning = false

  constructor(port: MessagePort, model: OnnxModel) {
    this.#port = port
    this.#model = model
    port.on('message', (request: OnnxRequest) => {
      this.#jobs.push({ ...request, vectors: [] })
      if (this.#isRunning) return
      this.#run().catch((error: unknown) => {
        // Ends the thread; the next call starts another.
        throw error
      })
    })
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    for (let job = this.#next(); job; job = this.#next()) {
      const message = await this.#computeBatch(job)
      // No messages arrive while it computes.
      await setImmediate()
      if (!message) continue
      this.#jobs.splice(this.#jobs.indexOf(job), 1)
      this.#port.postMessage(message)
    }
    this.#isRunning = false
  }

  #next(): Job | undefined {
    return this.#jobs.find(({ isSearch }) => isSearch) ?? this.#jobs[0]
  }

  async #computeBatch({ id, texts, vectors }: Job): Promise<OnnxMessage | undefined> {
    try {
      const batch = texts.slice(vectors.length, vectors.length + BATCH)
      if (batch.length > 0) vectors.push(...(await this.#model.embed(batch)))
      return vectors.length === texts.length ? { id, vectors } : undefined
    } catch (error) {
      return { id, failure: error instanceof Error ? error.message : String(error) }
    }
  }
}

if (parentPort) {
  const port = parentPort
  const send = (message: OnnxMessage) => port.postMessage(message)
  try {
    const model = await loadOnnxModel(workerData as string)
    new RequestQueue(port, model)
    send({ model: model.name })
  } catch (error) {
    send({ fault: error instanceof Error ? error.message : String(error) })
    port.close()
  }
}
