import { once } from 'node:events'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { createClient } from '../client/src/index.ts'
import { startCluster } from '../server/test/postgres-cluster.ts'
import { flatFolders, threadsOfPage } from './answers/statements.ts'
import { type Server, startServer } from './api.ts'
import { fill as fillThreads, ORGANIZATION as THREADS } from './bulk/annotations.ts'
import { fill as fillFolders, ORGANIZATION as TREE } from './bulk/folders.ts'
import { caller, newApiKey, newDatabase, repeat, roleOf } from './subject.ts'
import { conditions, median, round, table } from './table.ts'

/** A large answer: the call that gives it, and the statement that makes the same JSON, or as much. */
interface Large {
  what: string
  path: string
  data: object
  statement: string
  /** Whether the statement makes the very same `data`. */
  isSame: boolean
}

/**
 * Measures answers of many records beside one SQL statement that makes their JSON and bare node:http that sends it. The
 * goal: at least half of its speed, and no hold of the event loop.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '30' },
      threads: { type: 'string', default: '1000' },
      folders: { type: 'string', default: '10000' },
    },
  })
  const cluster = await startCluster()
  try {
    const { database, url: databaseUrl } = await newDatabase(cluster.url, 'answers')
    const api = await startServer(roleOf(databaseUrl))
    const credentials = await newApiKey(api.url)
    const filled = {
      client: createClient({ baseUrl: api.url, ...credentials }),
      database,
      apiKey: credentials.apiKey,
    }
    await fillThreads(filled, Number(values.threads))
    await fillFolders(filled, Number(values.folders))
    const answers = largeAnswers(credentials.apiKey)
    const bare = await startServer({
      ...roleOf(databaseUrl),
      variant: 'text',
      calls: Object.fromEntries(
        answers.map(({ what, statement: text }) => [
          pathOf(what),
          [[{ text, strings: [text], values: [], inTransaction: false, isSent: false }]],
        ]),
      ),
    })
    const rows = []
    for (const answer of answers) {
      rows.push(
        await measure(answer, {
          api: { server: api, ...caller(api.url, credentials) },
          bare: { server: bare, ...caller(bare.url, credentials) },
          rounds: Number(values.rounds),
        }),
      )
    }
    for (const { child } of [api, bare]) child.send('end')
    await database.close()
    process.stdout.write(
      `${conditions()}; PostgreSQL: ${cluster.describe}; one call at a time, both sides in turn, ${values.rounds} rounds\n\n`,
    )
    process.stdout.write(
      `${table(['answer', 'KiB', 'one statement and node:http ms', 'API ms', 'ratio', 'goal', 'longest hold of the API ms'], rows)}\n`,
    )
  } finally {
    await cluster.stop()
  }
}

const largeAnswers = (apiKey: string): Large[] => [
  {
    what: 'threads',
    path: '/v2/commentannotations/get',
    data: { organizationId: THREADS },
    statement: threadsOfPage(apiKey, THREADS),
    isSame: true,
  },
  {
    what: 'folders, flat',
    path: '/v2/organizations/folders/get',
    data: { organizationId: TREE },
    statement: flatFolders(apiKey, TREE),
    isSame: true,
  },
  {
    what: 'folders, nested',
    path: '/v2/organizations/folders/get',
    data: { organizationId: TREE, folderId: 'folder-0', maxDepth: 100 },
    statement: flatFolders(apiKey, TREE),
    isSame: false,
  },
]

const pathOf = (what: string) => `/${what.replace(/\W+/g, '-')}`

interface Side extends ReturnType<typeof caller> {
  server: Server
}

async function measure(
  { what, path, data, isSame }: Large,
  { api, bare, rounds }: { api: Side; bare: Side; rounds: number },
): Promise<(string | number)[]> {
  const [answer, expected] = [await api.text(path, data), await bare.text(pathOf(what), {})]
  const dataOf = (text: string): unknown => JSON.parse(text).result.data
  if (isSame && !isDeepStrictEqual(dataOf(answer), dataOf(expected))) {
    throw new Error(`${what}: the statement makes another answer than the API`)
  }
  const ofBare: number[] = []
  api.server.child.send('start')
  const ofApi = await repeat(rounds, async () => {
    ofBare.push(await bare.time(pathOf(what), {}))
    return api.time(path, data)
  })
  api.server.child.send('stop')
  const [{ heldUpMs }] = await once(api.server.child, 'message')
  const counted = ofBare.slice(-rounds)
  const ratio = round(median(counted.map((elapsed, i) => elapsed / (ofApi[i] ?? 1))))
  const size = Math.round(answer.length / 1024)
  return [what, size, round(median(counted), 1), round(median(ofApi), 1), ratio, '≥ 0.5', round(heldUpMs, 1)]
}
