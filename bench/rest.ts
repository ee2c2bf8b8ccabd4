import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openEmbedded } from '../server/src/platform/db/embedded.ts'
import { startCluster } from '../server/test/postgres-cluster.ts'
import { SECRET_KEYS } from './api.ts'
import { SERVER } from './built.ts'
import { fill } from './growth/fill.ts'
import { writePrototypes } from './growth/prototype.ts'
import { RestingProcess, type Use } from './rest/resting-process.ts'
import { newApiKey, newDatabase } from './subject.ts'
import { conditions, round, table } from './table.ts'

/** What is not stored: it would be delivered while the process is to be idle. */
const WITHOUT = ['email', 'event', 'webhook_settled']

interface Wanted {
  rows: number
  starts: number
  settleMs: number
  seconds: number
}

/**
 * Measures built processes at rest: the time of a start, and what a process uses that nobody asks, embedded and with
 * `DATABASE_URL`. With `--rows`, later starts find so many threads, each with the records around it.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: 'string', default: '0' },
      starts: { type: 'string', default: '5' },
      settle: { type: 'string', default: '25' },
      seconds: { type: 'string', default: '45' },
    },
  })
  const wanted = {
    rows: Number(values.rows),
    starts: Number(values.starts),
    settleMs: Number(values.settle) * 1_000,
    seconds: Number(values.seconds),
  }
  const rows = [...(await embedded(wanted)), await onPostgres(wanted)]
  process.stdout.write(`${conditions()}; idle for ${values.seconds} s, ${values.settle} s after its start\n\n`)
  const head = ['process', 'greeting s', 'first answer s', 'CPU %', 'of it main thread %', 'memory MB']
  process.stdout.write(`${table(head, rows)}\n`)
}

type Row = (string | number)[]

const rowOf = (what: string, { greetedMs, answeredMs }: RestingProcess, use?: Use): Row => [
  what,
  round(greetedMs / 1_000),
  round(answeredMs / 1_000),
  ...(use ? [round(use.cpu), round(use.mainThread), round(use.memory, 0)] : ['', '', '']),
]

/** The first start, and later ones with what was stored meanwhile. The last of them is left idle. */
async function embedded({ rows, starts, ...idle }: Wanted): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-rest-'))
  const start = () => RestingProcess.start(SERVER, { DATA_DIR: dataDir, SECRET_KEYS })
  try {
    const first = await start()
    const measured = [rowOf('embedded, first start', first, await first.use(idle))]
    const owner = await newApiKey(first.url)
    if (rows > 0) await writePrototypes(first.url, owner)
    await first.stop()
    if (rows > 0) {
      const database = await openEmbedded({ dataDir })
      await fill(database, [{ apiKey: owner.apiKey, rows }], WITHOUT)
      await database.close()
    }
    for (let n = 1; n <= starts; n++) {
      const what = `embedded, later start, ${round(bytesIn(dataDir) / 1e6, 0)} MB stored`
      const later = await start()
      measured.push(rowOf(what, later, n === starts ? await later.use(idle) : undefined))
      await later.stop()
    }
    return measured
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function onPostgres(idle: Wanted): Promise<Row> {
  const cluster = await startCluster()
  try {
    const { database, url } = await newDatabase(cluster.url, 'rest')
    await database.close()
    const server = await RestingProcess.start(SERVER, { DATABASE_URL: url, SECRET_KEYS })
    const row = rowOf('`DATABASE_URL`', server, await server.use(idle))
    await server.stop()
    return row
  } finally {
    await cluster.stop()
  }
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
