import type { Database, Db, Sql, Transaction } from '../../server/src/platform/db/db.ts'
import { toParameters } from '../../server/src/platform/db/parameters.ts'

/** One recorded statement of an operation; `inTransaction` as the operation ran it. */
export interface Recorded {
  text: string
  /** Its text between the parameters. */
  strings: string[]
  values: unknown[]
  inTransaction: boolean
  /** Its answer was not waited for before the next statement. */
  isSent: boolean
}

/** A database that records what is asked of it. `take()` returns the statements since the last one. */
export function recording(database: Database) {
  let statements: Recorded[] = []
  function note({ text, strings, values }: Sql, how: Pick<Recorded, 'inTransaction' | 'isSent'>): Recorded {
    const noted = { text, strings, values: toParameters(values), ...how }
    if (!text.includes('pg_notify')) statements.push(noted)
    return noted
  }
  const record = (db: Db, inTransaction: boolean): Db => ({
    query: async <Row extends object>(statement: Sql) => {
      const noted = note(statement, { inTransaction, isSent: false })
      const rows = await db.query<Row>(statement)
      // Another statement was sent before its answer came.
      noted.isSent = statements.at(-1) !== noted && statements.includes(noted)
      return rows
    },
  })
  const recordTransaction = (db: Transaction): Transaction => ({
    ...record(db, true),
    send: (statement, read, fail) => {
      note(statement, { inTransaction: true, isSent: true })
      db.send(statement, read, fail)
    },
  })
  return {
    database: {
      ...record(database, false),
      kind: database.kind,
      checksAlways: database.checksAlways,
      checks: record(database.checks, false),
      readsOf: () => record(database, false),
      work: record(database.work, false),
      transaction: (work, caller) => database.transaction((db) => work(recordTransaction(db)), caller),
      script: (text) => database.script(text),
      snapshot: (work) => database.snapshot(work),
      session: (work) => database.session(work),
      listen: (channel, wake) => database.listen(channel, wake),
      state: () => database.state(),
      close: () => database.close(),
    } satisfies Database,
    take() {
      const taken = statements
      statements = []
      return taken
    },
  }
}
