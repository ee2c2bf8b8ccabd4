import { parseArgs } from 'node:util'
import { startCluster } from '../server/test/postgres-cluster.ts'
import { measureAnnotations } from './bulk/annotations.ts'
import { measureFolders } from './bulk/folders.ts'
import { measurePermissions } from './bulk/permissions.ts'
import { measureUsers } from './bulk/users.ts'
import { measureWrites } from './bulk/writes.ts'
import { startSubject } from './subject.ts'
import { conditions, table } from './table.ts'

const MEASUREMENTS = ['users', 'writes', 'folders', 'annotations', 'permissions'] as const

/**
 * Measures bulk writes against raw SQL, and reads that must not slow down as tables grow. All go over HTTP to a server
 * process on native PostgreSQL. `--rows` scales the large tables; `--only` selects measurements.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: 'string', default: '1000000' },
      folders: { type: 'string', default: '10000' },
      users: { type: 'string', default: '1000' },
      rounds: { type: 'string', default: '30' },
      only: { type: 'string', multiple: true },
    },
  })
  const sizes = {
    rows: Number(values.rows),
    folders: Number(values.folders),
    users: Number(values.users),
    rounds: Number(values.rounds),
  }
  const chosen = values.only ?? [...MEASUREMENTS]
  const cluster = await startCluster()
  try {
    print(`${conditions()}; PostgreSQL: ${cluster.describe}; benchmark and server on the same cores`)
    for (const name of MEASUREMENTS) if (chosen.includes(name)) await MEASURE[name](cluster.url, sizes)
  } finally {
    await cluster.stop()
  }
}

interface Scale {
  rows: number
  folders: number
  users: number
  rounds: number
}

const MEASURE: Record<(typeof MEASUREMENTS)[number], (url: string, sizes: Scale) => Promise<void>> = {
  async users(url, { users, rounds }) {
    const subject = await startSubject(url, 'bulk_users')
    const head = ['users/add of', 'users', 'raw SQL ms', 'API ms', 'ratio', 'goal']
    print(table(head, await measureUsers(subject, users, rounds)))
    await subject.stop()
  },
  async writes(url, { users, rounds }) {
    const api = await startSubject(url, 'bulk_writes_api')
    const bare = await startSubject(url, 'bulk_writes_sql')
    const head = ['call', 'items', 'raw SQL ms', 'API ms', 'ratio']
    print(table(head, await measureWrites(api, bare, { threads: users / 10, judgments: users }, rounds)))
    await Promise.all([api.stop(), bare.stop()])
  },
  async folders(url, { folders, rounds }) {
    const subject = await startSubject(url, 'bulk_folders')
    print(table(['folders/get of', 'folders', 'p50 ms', 'p95 ms'], await measureFolders(subject, folders, rounds)))
    await subject.stop()
  },
  async annotations(url, { rows, rounds }) {
    const counts = { small: Math.min(10_000, rows / 2), large: rows }
    const small = await startSubject(url, 'bulk_annotations_small')
    const large = await startSubject(url, 'bulk_annotations_large')
    const among = (count: number) => `ms among ${count.toLocaleString('en-US')}`
    const head = ['commentannotations/get, 1,000', among(counts.small), among(counts.large), 'ratio', 'goal']
    print(table(head, await measureAnnotations(small, large, counts, rounds)))
    await Promise.all([small.stop(), large.stop()])
  },
  async permissions(url, { rows, rounds }) {
    const subject = await startSubject(url, 'bulk_permissions')
    const head = ['permissions/check, depth 20', 'grants', 'p50 ms', 'p95 ms', 'p99 ms', 'goal (ms)']
    print(table(head, await measurePermissions(subject, rows, rounds * 100)))
    await subject.stop()
  },
}

const print = (text: string) => process.stdout.write(`${text}\n\n`)
