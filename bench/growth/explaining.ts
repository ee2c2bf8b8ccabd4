import { type Database, type Db, raw, type Sql, type Transaction } from '../../server/src/platform/db/db.ts'
import { toParameters } from '../../server/src/platform/db/parameters.ts'
import { blocks, discarded, type Plan, type PlanAnswer, planIn } from '../../server/test/measuring/explained.ts'

/** What statements read. */
export interface Cost {
  /** Blocks of 8 KiB that their plans touched; those of triggers are not among them. */
  buffers: number
  /** Rows that scans returned from tables, those of triggers included. */
  rows: number
  /** Rows, or pairs of rows, that plans compared in vain. */
  discarded: number
}

const NOTHING: Cost = { buffers: 0, rows: 0, discarded: 0 }

/**
 * A database that explains every statement before it runs it, as it is planned once it was executed several times.
 * `take()` returns the cost since the last one.
 */
export function explaining(database: Database): { database: Database; take(): Cost } {
  let cost = { ...NOTHING }

  async function explain(db: Db, statement: Sql): Promise<void> {
    if (!/^\s*(select|with|insert|update|delete)\b/i.test(statement.text)) return
    const values = toParameters(statement.values).map((value) => literal(value))
    await db.query(raw('savepoint before'))
    const before = await rowsRead(db)
    await db.query(raw(`prepare measured as ${statement.text}`))
    const execute = values.length > 0 ? `measured (${values.join()})` : 'measured'
    await db.query(raw(`set local plan_cache_mode = ${await settledMode(db, execute)}`))
    const plan = await planOf(db, 'analyze, buffers, timing off, format json', execute)
    await db.query(raw('deallocate measured'))
    cost.rows += (await rowsRead(db)) - before
    cost.buffers += blocks(plan)
    cost.discarded += discarded(plan)
    await db.query(raw('rollback to savepoint before'))
  }

  /** Statements that are sent at once run one after the other, so that each is explained where it stands. */
  function inTurn(db: Db): Db {
    let last: Promise<unknown> = Promise.resolve()
    return {
      query: (statement) => {
        const result = last.then(async () => {
          await explain(db, statement)
          return db.query(statement)
        })
        last = result.catch(() => {})
        return result as never
      },
    }
  }

  const alone: Db = { query: (statement) => database.transaction((db) => inTurn(db).query(statement)) }
  return {
    database: {
      ...database,
      ...alone,
      kind: database.kind,
      checksAlways: false,
      checks: alone,
      readsOf: () => alone,
      work: alone,
      transaction: (work, caller) => database.transaction((db) => inTransaction(inTurn(db), work), caller),
      snapshot: (work) => database.snapshot((db) => work(inTurn(db))),
      script: (text) => database.script(text),
      session: (work) => database.session(work),
      listen: (channel, wake) => database.listen(channel, wake),
      state: () => database.state(),
      close: () => database.close(),
    },
    take() {
      const taken = cost
      cost = { ...NOTHING }
      return taken
    },
  }
}

async function planOf(db: Db, options: string, execute: string): Promise<Plan> {
  const rows = await db.query<{ 'QUERY PLAN': PlanAnswer }>(raw(`explain (${options}) execute ${execute}`))
  return planIn(rows)
}

/** What planning for the values is reckoned to cost at least, in the units of the planner. */
const PLANNING_COST = 5

/**
 * How PostgreSQL plans a prepared statement from its sixth execution on: for any values, unless a plan for these values
 * is cheaper by more than planning costs.
 */
async function settledMode(db: Db, execute: string): Promise<string> {
  const [generic, custom] = [await costIn('force_generic_plan'), await costIn('force_custom_plan')]
  return generic < custom + PLANNING_COST ? 'force_generic_plan' : 'force_custom_plan'

  async function costIn(mode: string): Promise<number> {
    await db.query(raw(`set local plan_cache_mode = ${mode}`))
    return (await planOf(db, 'format json', execute))['Total Cost']
  }
}

/** Runs the work of a transaction. What it only sends is explained before the commit too. */
async function inTransaction<T>({ query }: Db, work: (db: Transaction) => Promise<T>): Promise<T> {
  const sent: Promise<void>[] = []
  const result = await work({
    query,
    send: (statement, read, fail) => sent.push(query<never>(statement).then(read, fail)),
  })
  await Promise.all(sent)
  return result
}

/** Rows that this session has read from tables and not reported yet; only differences within a transaction count. */
async function rowsRead(db: Db): Promise<number> {
  const [row] = await db.query<{ read: number }>(
    raw(
      'select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint as read from pg_stat_xact_user_tables',
    ),
  )
  return row?.read ?? 0
}

const literal = (value: string | Uint8Array | null) => {
  if (value === null) return 'null'
  const text = typeof value === 'string' ? value : `\\x${Buffer.from(value).toString('hex')}`
  return `'${text.replaceAll("'", "''")}'`
}
