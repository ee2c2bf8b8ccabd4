import pg from 'pg'
import { DatabaseError, DatabaseReadOnly, DatabaseUnavailable, isUnprepared, type Sql } from '../db.ts'
import { toParameters } from '../parameters.ts'
import { forgetPrepared } from './free-names.ts'
import type { Names } from './statement-names.ts'

/**
 * Sends a statement on a connection. Fails with DatabaseError or DatabaseUnavailable. If its parameters are refused, it
 * throws at once and sends nothing.
 *
 * Not by the driver's own promise: what it returns stays reachable from the statement before it once that has outlived
 * a collection. So the rows of many statements survived, and copying them held the event loop.
 */
export function runStatement<Row extends object>(client: pg.ClientBase, names: Names, statement: Sql): Promise<Row[]> {
  const parameters = toParameters(statement.values)
  const { text, name } = names.of(statement)
  return new Promise((resolve, reject) => {
    const query = new pg.Query<Row>(text, parameters, (error, result) => {
      if (!error) return resolve(result.rows)
      const failure = translate(error)
      if (isUnprepared(failure)) forgetPrepared(client)
      reject(failure)
    })
    // The driver copies a configuration, with its name, at the price of several microseconds.
    client.query(Object.assign(query, { name }))
  })
}

/** The error of the driver as one that callers of the database know; others as they are. */
export function translate(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    const { message, code = '', constraint } = error
    if (code === READ_ONLY) return new DatabaseReadOnly(message, { cause: error })
    // Class 08 and 57P0x: the server is going away or refuses connections; 53300: too many connections.
    if (/^(08|57P0|53300)/.test(code)) return new DatabaseUnavailable(message, { cause: error })
    return new DatabaseError(message, code, constraint, { cause: error })
  }
  if (error instanceof Error && isConnectionLoss(error)) return new DatabaseUnavailable(error.message, { cause: error })
  return error
}

/** The server takes no writes, as a standby during a failover. */
const READ_ONLY = '25006'

function isConnectionLoss(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : ''
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST)/.test(code) ||
    /Connection terminated|not queryable|timeout expired|Client was closed/.test(error.message)
  )
}
