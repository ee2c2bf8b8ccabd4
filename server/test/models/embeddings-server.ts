import { createHash } from 'node:crypto'
import { type ReceivedRequest, type Receiver, type Reply, startReceiver } from '../receiver.ts'
import { type Service, startAlone } from '../running-service.ts'

const DIMENSIONS = 64

/** Words with the same meaning to the model, which no comparison of words can know. */
const SYNONYMS = [
  ['car', 'automobile', 'vehicle'],
  ['doctor', 'physician', 'medic'],
  ['cheap', 'inexpensive', 'affordable'],
  ['refuse', 'decline', 'rebuff'],
]
const meanings = new Map(SYNONYMS.flatMap((words) => words.map((word) => [word, words[0] ?? word] as const)))

/** An embeddings service (`POST /v1/embeddings`) whose model knows some synonyms. Each test sets its behaviour. */
export interface EmbeddingsServer extends Receiver {
  /** The environment that makes a service use it. */
  env: Record<string, string>
  /** Every text that it received since the last call. */
  texts(): string[]
}

export async function startEmbeddingsServer(): Promise<EmbeddingsServer> {
  const receiver = await startReceiver({ respond: answerEmbeddings })
  const env = { EMBEDDER: 'openai', EMBEDDER_URL: `${receiver.url}/v1`, EMBEDDER_MODEL: 'synonyms-1' }
  let read = 0
  const texts = () => {
    const requests = receiver.received().slice(read)
    read += requests.length
    return requests.flatMap((request) => inputOf(request).input)
  }
  return Object.assign(receiver, { env, texts })
}

/** A service of its own that uses such a server, and what stops both. */
export async function startEmbeddingService(): Promise<{
  server: EmbeddingsServer
  service: Service
  stop(): Promise<void>
}> {
  const server = await startEmbeddingsServer()
  const service = await startAlone(server.env)
  return {
    server,
    service,
    async stop() {
      await service.app.http.close()
      await service.database.close()
      await server.close()
    },
  }
}

export const inputOf = ({ body }: ReceivedRequest): { model: string; input: string[] } => JSON.parse(body.toString())

/** The response of a working service. The vectors of different models differ. */
export function answerEmbeddings(request: ReceivedRequest): Reply {
  const { model, input } = inputOf(request)
  const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, model) }))
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ model, data }) }
}

function vectorOf(text: string, model: string): number[] {
  const sum = new Array<number>(DIMENSIONS).fill(0)
  for (const word of text.toLowerCase().match(/\p{L}{3,}/gu) ?? ['']) {
    const digest = createHash('sha512')
      .update(`${model} ${meanings.get(word) ?? word}`)
      .digest()
    for (let i = 0; i < DIMENSIONS; i++) sum[i] = (sum[i] ?? 0) + ((digest[i] ?? 0) - 127.5)
  }
  return sum
}
