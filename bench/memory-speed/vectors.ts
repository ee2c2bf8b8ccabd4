import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { JudgmentTable } from '../../server/src/areas/memory/lexical/judgment-table.ts'
import { vectorLiteral } from '../../server/src/areas/memory/vectors/judgment-vector.ts'
import { VectorColumn } from '../../server/src/areas/memory/vectors/vector-column.ts'
import { type Database, sql } from '../../server/src/platform/db/db.ts'

const DIMENSIONS = 384
export const MODEL = 'made-up'
const BATCH = 1_000
const QUERIES = 20

/**
 * A random vector of length 1 with normally distributed elements. Such vectors have nothing in common: the worst case.
 */
function madeUpVector(): Float32Array {
  const vector = Float32Array.from(
    { length: DIMENSIONS },
    () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random()),
  )
  const norm = Math.hypot(...vector)
  return vector.map((value) => value / norm)
}

/** Stores a vector for each text of the judgments of an API key, as a model would. */
export async function fillVectors(database: Database, apiKey: string, count: number): Promise<void> {
  const keys = await database.query<{ key: string }>(
    sql`select key from judgment where api_key = ${apiKey} order by change`,
  )
  const store = async (field: string, before: number) => {
    for (let first = 0; first < count; first += BATCH) {
      const batch = keys.slice(first, first + BATCH)
      await database.query(sql`
        insert into judgment_vector (api_key, key, field, model, number, text_hash, embedding)
        select ${apiKey}, i.key, ${field}, ${MODEL}, ${before + first}::bigint + i.position, i.key, i.embedding::real[]
        from unnest(
          ${batch.map(({ key }) => key)}::uuid[],
          ${batch.map(() => vectorLiteral(madeUpVector()))}::text[]
        ) with ordinality as i (key, embedding, position)`)
    }
  }
  await Promise.all([store('review', 0), store('content', count)])
  await database.query(sql`
    insert into judgment_embedding (
      api_key, model, done, is_complete, dimensions, off_topic_mean, off_topic_deviation, vector)
    values (${apiKey}, ${MODEL}, int8multirange(int8range(1, ${count + 1}::bigint)), true, ${DIMENSIONS}, 0, 0.051,
      ${2 * count}::bigint)`)
  await database.script('vacuum (analyze)')
}

/** An embeddings service on loopback that returns a random vector for every text. */
export async function startEmbeddings(): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { input } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { input: string[] }
    const data = input.map((_, index) => ({ index, embedding: Array.from(madeUpVector()) }))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data, model: MODEL }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, server }
}

const JUDGMENT = {
  organization: null,
  document: null,
  contentType: null,
  reviewerId: null,
  decision: 'approve',
  judgeType: 'human',
  createdAt: 0,
}

/** A UUID, as the index takes no other ids. */
const keyAt = (place: number) => `00000000-0000-4000-8000-${place.toString(16).padStart(12, '0')}`

/** The share of the ten nearest of `count` random vectors that a search finds among its nearest. */
export async function recallOfTen(count: number): Promise<number> {
  const column = new VectorColumn(DIMENSIONS)
  const table = new JudgmentTable()
  const vectors = Array.from({ length: count }, madeUpVector)
  for (const [place, vector] of vectors.entries()) {
    column.put(keyAt(place), place, vector)
    table.add({ ...JUDGMENT, key: keyAt(place) })
  }
  while (!column.align(table));
  let found = 0
  for (let i = 0; i < QUERIES; i++) {
    const query = madeUpVector()
    const cosines = vectors.map((vector) => vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0))
    const nearest = [...cosines.keys()].sort((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0)).slice(0, 10)
    const answered = await column.nearest(query, { filter: table.admit({}), count: 200, also: [] })
    found += nearest.filter((place) => answered.has(keyAt(place))).length
  }
  return found / (10 * QUERIES)
}
