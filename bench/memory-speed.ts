import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { createClient, PrecedentError } from '../client/src/index.ts'
import { judgmentChunks } from '../server/src/areas/memory/chunk-judgments.worker.ts'
import type { IndexedJudgment } from '../server/src/areas/memory/judgment/indexed-judgment.ts'
import { type Database, sql } from '../server/src/platform/db/db.ts'
import { keyOf } from '../server/src/platform/id.ts'
import { createSecrets, parseSecretKeys } from '../server/src/platform/secret.ts'
import { exactSearch } from '../server/test/exact-search.ts'
import { startCluster } from '../server/test/postgres-cluster.ts'
import type { Role } from './api/server.ts'
import { SECRET_KEYS, type Server, startServer } from './api.ts'
import { embedAndFit } from './memory-speed/embed-all.ts'
import { fill, organizationId, reviewerId } from './memory-speed/fill.ts'
import { inParallel, type Load, used } from './memory-speed/measuring.ts'
import { SHARE, syntheticJudgments } from './memory-speed/synthetic-judgments.ts'
import { fillVectors, MODEL, recallOfTen, startEmbeddings } from './memory-speed/vectors.ts'
import { type Credentials, caller, newApiKey, newDatabase, quantile, roleOf } from './subject.ts'
import { conditions, round, table } from './table.ts'

const SEED = 1
/** p95 over HTTP in milliseconds: of searches and suggestions, by the number of judgments. */
const GOALS = new Map([
  [100_000, [15, 20]],
  [1_000_000, [80, 80]],
])

/**
 * Measures the decision memory at scale, over HTTP against server processes on native PostgreSQL: the time to read an
 * index, its memory, and the latency of searches and suggestions. Each is measured with and without a filter that one
 * judgment in a hundred passes. It also checks that filtered searches are complete.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      sizes: { type: 'string', default: '10000,100000,1000000' },
      calls: { type: 'string', default: '1000' },
      processes: { type: 'string', default: String(availableParallelism()) },
      vectors: { type: 'string', default: '10000' },
      builtin: { type: 'string', default: '100000' },
      concurrency: { type: 'string', default: '4' },
    },
  })
  const withVectors = values.vectors.split(',').map(Number)
  const cluster = await startCluster()
  try {
    const processes = Number(values.processes)
    const load = { calls: Number(values.calls), concurrency: Number(values.concurrency) }
    print(
      `${conditions()}; PostgreSQL: ${cluster.describe}; server processes: ${processes}; calls at a time: ${load.concurrency}; benchmark, servers and database on the same cores`,
    )
    for (const size of sizesOf(values.sizes)) {
      const subject = await startSubject(cluster.url, size, processes)
      const index = [await measureIndex(subject)]
      print(table(['judgments', 'indexed in s', 'CPU s', 'longest hold-up ms', 'bytes per judgment'], index))
      print(
        table(
          ['judgments', 'started in s', 'CPU s', 'longest hold-up ms', 'chunks made in s'],
          [await measureStart(subject)],
        ),
      )
      const speeds = await measureSpeeds(subject, load)
      print(table(SPEED_HEADINGS, speeds))
      if (withVectors.includes(size)) {
        print(table(SPEED_HEADINGS, await measureWithVectors(subject, load)))
        print(`Of the ten nearest vectors found: ${round(await recallOfTen(size))} (goal ≥ 0.95)`)
      }
      await subject.stop()
    }
    for (const size of sizesOf(values.builtin)) {
      const subject = await startSubject(cluster.url, size, processes, true)
      print(`${size} judgments of English words: by words, and without any setting`)
      for (const server of subject.servers) await ready(server, subject)
      print(table(SPEED_HEADINGS, await measureSpeeds(subject, load)))
      print(table(SPEED_HEADINGS, await measureWithBuiltin(subject, load)))
      await subject.stop()
    }
  } finally {
    await cluster.stop()
  }
}

/** Sizes as an option lists them; none if it is empty. */
const sizesOf = (list: string) => list.split(',').filter(Boolean).map(Number)

type Row = (string | number)[]
/** The same call without ranking: the least that a call of the service and its database costs on this machine. */
const LEAST = 'search, thread without judgments'
const SPEED_HEADINGS = ['call', 'judgments', 'p50 ms', 'p95 ms', 'p99 ms', 'goal', 'CPU ms', 'complete']

/** A number of judgments in one API key, and server processes that have not read them yet. */
async function startSubject(clusterUrl: string, size: number, processes: number, english = false) {
  const { database, url } = await newDatabase(clusterUrl, `memory_speed_${size}${english ? '_english' : ''}`)
  const servers = await startServers(processes, { ...roleOf(url), logLevel: 'fatal', env: { EMBEDDER: 'lexical' } })
  const credentials = await newApiKey(servers[0].url)
  const made = syntheticJudgments(SEED, english)
  await fill(database, credentials.apiKey, size, made.judgment)
  return {
    database,
    databaseUrl: url,
    vectors: 'none' as 'none' | 'some' | 'all',
    size,
    made,
    credentials,
    servers,
    async stop() {
      for (const { child } of servers) child.send('end')
      await database.close()
    },
  }
}

type Subject = Awaited<ReturnType<typeof startSubject>>
type Servers = [Server, ...Server[]]

async function startServers(count: number, role: Role): Promise<Servers> {
  const first = await startServer(role)
  return [first, ...(await Promise.all(Array.from({ length: count - 1 }, () => startServer(role))))]
}

/** The processes read the index one after the other; the figures are those of the first. */
async function measureIndex(subject: Subject): Promise<Row> {
  const [first, ...others] = subject.servers
  const before = await used([first], async () => {})
  const started = performance.now()
  const { cpu, rss, heldUpMs } = await used([first], () => ready(first, subject))
  const seconds = (performance.now() - started) / 1000
  for (const other of others) await ready(other, subject)
  const bytes = Math.round((rss - before.rss) / subject.size)
  return [subject.size, round(seconds, 1), round(cpu / 1000, 1), round(heldUpMs, 0), bytes]
}

/** A process that starts after the chunks were made. */
async function measureStart(subject: Subject): Promise<Row> {
  const { database, databaseUrl, size } = subject
  const services = { clock: { now: () => Date.now() }, secrets: createSecrets(parseSecretKeys(SECRET_KEYS)) }
  const making = performance.now()
  const source = judgmentChunks({ reads: database, db: database.work, services })
  while (await source.work(() => {}));
  const madeIn = (performance.now() - making) / 1000
  const server = await startServer({ ...roleOf(databaseUrl), logLevel: 'fatal' })
  const started = performance.now()
  const { cpu, heldUpMs } = await used([server], () => ready(server, subject))
  const seconds = (performance.now() - started) / 1000
  server.child.send('end')
  return [size, round(seconds, 2), round(cpu / 1000, 2), round(heldUpMs, 0), round(madeIn, 1)]
}

/** Searches until the index is loaded, and the vectors too if there are any. */
async function ready({ url }: Server, { credentials }: Subject, embeddingType?: 'review' | 'content'): Promise<void> {
  const client = createClient({ baseUrl: url, ...credentials, maxRetries: 0 })
  for (;;) {
    try {
      const { warnings } = await client.memory.searchJudgments({
        query: 'ready',
        ...(embeddingType && { embeddingType }),
      })
      if (!warnings?.length) return
    } catch (error) {
      if (!(error instanceof PrecedentError) || error.status !== 'UNAVAILABLE') throw error
    }
  }
}

/** The same judgments with vectors, on as many separate server processes with a model. */
async function measureWithVectors(subject: Subject, load: Load): Promise<Row[]> {
  const { database, databaseUrl, credentials, size } = subject
  await fillVectors(database, credentials.apiKey, size)
  const embeddings = await startEmbeddings()
  const env = { EMBEDDER: 'openai', EMBEDDER_URL: embeddings.url, EMBEDDER_MODEL: MODEL }
  const servers = await startServers(subject.servers.length, { ...roleOf(databaseUrl), logLevel: 'fatal', env })
  const dense = { ...subject, servers, vectors: 'all' as const }
  for (const server of servers) {
    for (const embeddingType of ['review', 'content'] as const) await ready(server, dense, embeddingType)
  }
  const rows = await measureSpeeds(dense, load)
  for (const { child } of servers) child.send('end')
  embeddings.server.close()
  return rows.map(([what = '', ...figures]) => [`${what}, with vectors`, ...figures])
}

/** The same judgments with the embedding that comes with the service, on separate processes without any setting. */
async function measureWithBuiltin(subject: Subject, load: Load): Promise<Row[]> {
  const { database, databaseUrl, size } = subject
  const { seconds, fitSeconds, texts, known } = await embedAndFit(database, databaseUrl)
  print(`Embedded ${known} of ${texts} texts in ${round(seconds, 0)} s; fitted a head in ${round(fitSeconds, 0)} s.`)
  const servers = await startServers(subject.servers.length, { ...roleOf(databaseUrl), logLevel: 'fatal' })
  const before = await used([servers[0]], async () => {})
  const dense = { ...subject, servers, vectors: 'some' as const }
  for (const server of servers) await ready(server, dense)
  // The calls that are not counted read the vectors.
  const rows = await measureSpeeds(dense, load)
  const { rss } = await used([servers[0]], async () => {})
  print(`Index and vectors take ${Math.round((rss - before.rss) / size)} bytes per judgment.`)
  for (const { child } of servers) child.send('end')
  return rows.map(([what = '', ...figures]) => [`${what}, by default`, ...figures])
}

interface SearchData {
  query: string
  embeddingType: 'review' | 'content'
}

async function measureSpeeds(subject: Subject, { calls, concurrency }: Load): Promise<Row[]> {
  const { made, size, servers, credentials } = subject
  const search = '/v2/memory/search'
  const filters = { reviewerId: reviewerId(7) }
  const kinds: [string, string, () => object, boolean][] = [
    [LEAST, search, () => ({ organizationId: organizationId(7), filters: { annotationId: 'none' } }), false],
    ...(['review', 'content'] as const).flatMap((embeddingType): typeof kinds => [
      [`search, ${embeddingType}`, search, () => ({ query: made.query(), embeddingType }), false],
      [`search, ${embeddingType}, 1 % filter`, search, () => ({ query: made.query(), embeddingType, filters }), true],
    ]),
    ['suggest', '/v2/memory/suggest', () => ({ query: made.item() }), false],
    [
      'suggest, 1 % scope',
      '/v2/memory/suggest',
      () => ({ query: made.item(), organizationId: organizationId(7) }),
      false,
    ],
  ]
  const rows: Row[] = []
  for (const [what, path, data, isFiltered] of kinds) {
    const callers = servers.map(({ url }) => caller(url, credentials))
    // A server that has just started is still compiling its hot code.
    await inParallel(callers, concurrency, 2 * calls, ({ time }) => time(path, data()))
    let times: number[] = []
    const { cpu } = await used(servers, async () => {
      times = await inParallel(callers, concurrency, calls, ({ time }) => time(path, data()))
    })
    for (const { close } of callers) close()
    const figures = [0.5, 0.95, 0.99].map((share) => round(quantile(times, share), 1))
    const goal = what === LEAST ? '' : `p95 ≤ ${GOALS.get(size)?.[Number(path !== search)] ?? '–'}`
    const complete = isFiltered ? await completeness(subject, data as () => SearchData) : ''
    rows.push([what, size, ...figures, goal, round(cpu / calls, 1), complete])
  }
  return rows
}

const CHECKED = 20
const MOST = 50

/** Of some filtered searches, how many found as many as an exact scan and counted the same as SQL. */
async function completeness(subject: Subject, data: () => SearchData): Promise<string> {
  const { database, servers, credentials, size, vectors } = subject
  const client = createClient({ baseUrl: servers[0].url, ...credentials })
  const admitted = await admittedBy(database, credentials)
  if (admitted.length !== size / SHARE) throw new Error(`${admitted.length} judgments pass the filter.`)
  let complete = 0
  for (let i = 0; i < CHECKED; i++) {
    const asked = data()
    const { results, totalInScope } = await client.memory.searchJudgments({ ...asked, limit: MOST })
    const isFiltered = results.every(({ actionUser }) => actionUser.userId === reviewerId(7))
    // With vectors of all, every judgment has a cosine, but not every one shares a word with the query.
    const least = vectors === 'all' ? admitted.length : exactCount(admitted, asked)
    const isAll = results.length === MOST || (vectors === 'some' ? results.length >= least : results.length === least)
    if (isAll && isFiltered && totalInScope === admitted.length) complete++
  }
  return `${complete} of ${CHECKED}`
}

function exactCount(admitted: IndexedJudgment[], { query, embeddingType: field }: SearchData): number {
  return exactSearch(admitted, { field, query, scope: {}, limit: MOST }).hits.length
}

function admittedBy(database: Database, { apiKey }: Credentials): Promise<IndexedJudgment[]> {
  return database.query<IndexedJudgment>(sql`
    select key, null as organization, null as document, decision, judge_type as "judgeType",
      null as "contentType", null as "reviewerId", created_at as "createdAt", reasoning, content
    from judgment
    where api_key = ${apiKey} and reviewer_key = ${keyOf(reviewerId(7))}::uuid`)
}

const print = (text: string) => process.stdout.write(`${text}\n\n`)
