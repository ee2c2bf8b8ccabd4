import { type Database, join, raw, type Sql, sql, together } from '../../server/src/platform/db/db.ts'
import { repeat, type Subject, storedColumns } from '../subject.ts'
import { median, round } from '../table.ts'

const ORGANIZATION = 'bulk'
const DOCUMENT = 'plan'

/** A bulk write and all that it writes. */
interface Write {
  what: string
  path: string
  data: (round: number, count: number) => object
  /** The tables that get a row for each item. */
  tables: string[]
  /** The table of one row that counts the items, and its column. */
  counter: [table: string, column: string]
}

const THREADS: Write = {
  what: 'commentannotations/add',
  path: '/v2/commentannotations/add',
  tables: ['comment_annotation', 'comment', 'comment_participant', 'event', 'webhook_pending'],
  counter: ['comment_annotation_count', 'count'],
  data: (round, count) => ({
    organizationId: ORGANIZATION,
    documentId: DOCUMENT,
    commentAnnotations: Array.from({ length: count }, (_, i) => ({
      annotationId: `thread-${round}-${i}`,
      commentData: [
        {
          from: { userId: `author-${i % 10}`, name: `Author ${i % 10}`, email: `author-${i % 10}@example.com` },
          commentText: `The clause on renewals contradicts section ${i}; which one do we mean?`,
        },
      ],
    })),
  }),
}

const JUDGMENTS: Write = {
  what: 'judgments/add',
  path: '/v2/memory/judgments/add',
  tables: ['judgment'],
  counter: ['judgment_log', 'change'],
  data: (round, count) => ({
    organizationId: ORGANIZATION,
    documentId: DOCUMENT,
    judgments: Array.from({ length: count }, (_, i) => ({
      recordId: `judgment-${round}-${i}`,
      decision: i % 3 ? 'approve' : 'reject',
      reasoning: `The change of paragraph ${i} keeps the meaning and is easier to read.`,
      content: `Renewals of contract ${i} take effect on the first day of the next quarter, unless the customer objects.`,
      actionUser: { userId: `reviewer-${i % 10}`, name: `Reviewer ${i % 10}` },
    })),
  }),
}

/**
 * Measures commentannotations/add and judgments/add against SQL that writes the same rows: one insert through `unnest`
 * for each table, all in one packet and one transaction. They are the rows that the API wrote in the same round, with
 * their JSON made already. One endpoint gets the events of all threads.
 */
export async function measureWrites(
  api: Subject,
  bare: Subject,
  counts: { threads: number; judgments: number },
  rounds: number,
): Promise<(string | number)[][]> {
  const same = new Map([[api.apiKey, bare.apiKey]])
  same.set(await prepare(api), await prepare(bare))
  const rows: (string | number)[][] = []
  for (const [write, count] of [
    [THREADS, counts.threads],
    [JUDGMENTS, counts.judgments],
  ] as const) {
    const bareTimes: number[] = []
    const apiTimes = await repeat(rounds, async (round) => {
      const [before] = await api.database.query<{ xid: number }>(sql`select txid_current() as xid`)
      const elapsed = await api.time(write.path, write.data(round, count))
      const statements = await insertsOf(api, write, before?.xid ?? 0, same)
      bareTimes.push(await time(bare.database, statements))
      return elapsed
    })
    const counted = bareTimes.slice(-rounds)
    const ratio = round(median(counted.map((elapsed, i) => elapsed / (apiTimes[i] ?? 1))))
    rows.push([write.what, count, round(median(counted), 1), round(median(apiTimes), 1), ratio])
  }
  return rows
}

/** Creates the place of the records, and an endpoint of every event. Returns its id. */
async function prepare({ client }: Subject): Promise<string> {
  const organizationId = ORGANIZATION
  await client.organizations.addOrganizations({ organizations: [{ organizationId }] })
  await client.documents.addDocuments({ organizationId, documents: [{ documentId: DOCUMENT }] })
  await client.webhooks.updateAdvancedWebhookConfig({ isEnabled: true })
  const { data } = await client.webhooks.createEndpoint({ url: 'https://hooks.example.com/' })
  return data.id
}

async function time(database: Database, statements: Sql[]): Promise<number> {
  const start = performance.now()
  await database.transaction((db) => together(statements.map((statement) => db.query(statement))))
  return performance.now() - start
}

/** The inserts of the rows written since a transaction, with other values in place of some. */
function insertsOf(api: Subject, { tables, counter }: Write, since: number, same: Map<string, string>) {
  const [counting, column] = counter
  const upsert = sql`
    on conflict on constraint ${raw(counting)}_pkey do update set ${raw(column)} = excluded.${raw(column)}`
  return Promise.all(
    [counting, ...tables].map(async (table) => {
      const columns = await storedColumns(api.database, table)
      const names = raw(columns.map(({ name }) => name).join(', '))
      const values = await readColumns(api, table, names, since)
      const arrays = columns.map(({ type }, i) => {
        const sent = values.map((row) => same.get(row[i] ?? '') ?? row[i] ?? null)
        return sql`${sent}::${raw(type)}[]`
      })
      return sql`
        insert into ${raw(table)} (${names})
        overriding system value
        select * from unnest(${join(arrays)}) ${table === counting ? upsert : sql``}`
    }),
  )
}

/** The rows that were written since a transaction, in their order, each as a list of texts. */
async function readColumns({ database, apiKey }: Subject, table: string, names: Sql, since: number) {
  const rows = await database.query<{ values: (string | null)[] }>(sql`
    select array_to_json(array(select value from json_each_text(to_json(r)))) as values
    from (select ${names} from ${raw(table)} where api_key = ${apiKey} and age(xmin) < txid_current() - ${since}::bigint order by ctid) r`)
  return rows.map(({ values }) => values)
}
