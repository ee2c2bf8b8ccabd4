import { type Tracing, UNTRACED } from '../tracing/tracing.ts'
import type { Database, Db, Sql, Transaction } from './db.ts'

// Statements hold no values, but some are long.
const MOST_TEXT = 2_000

/**
 * The database with a span for each transaction and each statement that belongs to a trace. What workers look for on
 * their own belongs to none.
 */
export function tracedDatabase(database: Database, tracing: Tracing): Database {
  if (tracing === UNTRACED) return database
  const traced = (db: Db): Db => ({
    query: (statement) =>
      tracing.current() === null
        ? db.query(statement)
        : tracing.span(nameOf(statement), about(statement), () => db.query(statement)),
  })
  const tracedTransaction = (db: Transaction): Transaction => ({
    ...traced(db),
    send: (statement, read, fail) => {
      if (tracing.current() === null) return db.send(statement, read, fail)
      const { promise, resolve, reject } = settleable()
      db.send<never>(
        statement,
        (rows) => {
          read?.(rows)
          resolve()
        },
        (error) => {
          fail?.(error)
          reject(error)
        },
      )
      // The transaction throws the failure; here it only ends the span.
      tracing.span(nameOf(statement), about(statement), () => promise).catch(() => {})
    },
  })
  const { query } = traced(database)
  return {
    kind: database.kind,
    checksAlways: database.checksAlways,
    query,
    checks: traced(database.checks),
    readsOf: (caller) => traced(database.readsOf(caller)),
    work: traced(database.work),
    transaction: (work, caller) => {
      const run = () => database.transaction((db) => work(tracedTransaction(db)), caller)
      return tracing.current() === null ? run() : tracing.span('transaction', TRANSACTION, run)
    },
    script: (text) => database.script(text),
    snapshot: (work, how) => database.snapshot(work, how),
    session: (work) => database.session(work),
    listen: (channel, wake) => database.listen(channel, wake),
    state: () => database.state(),
    close: () => database.close(),
  }
}

function settleable() {
  let resolve = () => {}
  let reject = (_error: unknown) => {}
  const promise = new Promise<void>((onSuccess, onFailure) => {
    resolve = onSuccess
    reject = onFailure
  })
  return { promise, resolve, reject }
}

const TRANSACTION = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const

const nameOf = ({ text }: Sql) => /\w+/.exec(text)?.[0].toLowerCase() ?? 'statement'

const about = ({ text }: Sql) => ({
  kind: 'client' as const,
  attributes: { 'db.system.name': 'postgresql', 'db.query.text': text.trim().slice(0, MOST_TEXT) },
})
