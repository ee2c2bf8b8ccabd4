import { setImmediate } from 'node:timers/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { loadOnnxModel, type OnnxModel } from './onnx-model.ts'
import type { OnnxOrder, OnnxReport } from './onnx-protocol.ts'

/** The number of texts computed at once. A search waits for at most this many. */
const BATCH = 8

interface Job extends OnnxOrder {
  vectors: Float32Array[]
}

/** Computes requests a few texts at a time, those of searches first. */
class Desk {
  readonly #port: MessagePort
  readonly #model: OnnxModel
  readonly #jobs: Job[] = []
  #isWorking = false

  constructor(port: MessagePort, model: OnnxModel) {
    this.#port = port
    this.#model = model
    port.on('message', (order: OnnxOrder) => {
      this.#jobs.push({ ...order, vectors: [] })
      if (this.#isWorking) return
      this.#work().catch((error: unknown) => {
        // Ends the thread; the next call starts another.
        throw error
      })
    })
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    for (let job = this.#next(); job; job = this.#next()) {
      const report = await this.#advance(job)
      // No messages arrive while it computes.
      await setImmediate()
      if (!report) continue
      this.#jobs.splice(this.#jobs.indexOf(job), 1)
      this.#port.postMessage(report)
    }
    this.#isWorking = false
  }

  #next(): Job | undefined {
    return this.#jobs.find(({ isSearch }) => isSearch) ?? this.#jobs[0]
  }

  async #advance({ id, texts, vectors }: Job): Promise<OnnxReport | undefined> {
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
  const say = (report: OnnxReport) => port.postMessage(report)
  try {
    const model = await loadOnnxModel(workerData as string)
    new Desk(port, model)
    say({ model: model.name })
  } catch (error) {
    say({ fault: error instanceof Error ? error.message : String(error) })
    port.close()
  }
}
