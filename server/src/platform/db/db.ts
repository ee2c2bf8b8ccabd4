import sql, { empty, join, raw, type Sql } from 'sql-template-tag'

export { empty, join, raw, type Sql, sql }

/** Runs one statement. Inside a writing operation this is its transaction. */
export interface Db {
  /**
   * The rows of one statement. Values travel as parameters: arrays as Postgres arrays, plain objects and `json(…)` as
   * jsonb, `Uint8Array` as bytea; `undefined` is refused. `bigint` and `count(*)` come back as numbers.
   */
  query<Row extends object = Record<string, unknown>>(statement: Sql): Promise<Row[]>
}

/** A connected database, embedded or remote: one dialect, one behaviour. */
export interface Database extends Db {
  readonly kind: 'embedded' | 'postgres'
  /** For the quick look-ups that every request waits for (authentication, readiness): no other read is before them. */
  readonly checks: Db
  /**
   * For what workers run: each statement is a transaction of its own, retried like one, away from the connections that
   * reads share. Plans are kept, and none reads a whole table, or sorts, where an index fits. Queues grow from nothing in
   * seconds, so the planner may take a full one to be empty: a statement looks rows up one by one and changes them by their
   * place (`ctid`), or else it may compare all of a queue with all that it works on.
   */
  readonly work: Db
  /**
   * Runs `work` in one transaction and answers after its commit is durable. A serialization failure or a deadlock runs
   * `work` again (at most 5 times), so `work` must have no effect but its statements.
   */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Several statements without parameters, in one transaction (migrations, maintenance). */
  script(text: string): Promise<void>
  /** Calls `wake` at every NOTIFY on `channel`, and after a reconnect, when notifications may have been missed. */
  listen(channel: string, wake: () => void): Promise<void>
  close(): Promise<void>
}

/** The database could not be reached, or the connection broke before the statement was answered. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/** A statement that Postgres refused; `code` is its SQLSTATE. */
export class DatabaseError extends Error {
  override name = 'DatabaseError'
  readonly code: string
  readonly constraint: string | undefined
  constructor(message: string, code: string, constraint: string | undefined, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
    this.constraint = constraint
  }
}

/** A JSON document as a parameter: needed for arrays and scalars, which would else be taken for Postgres values. */
export class JsonValue {
  readonly text: string
  constructor(value: unknown) {
    this.text = JSON.stringify(value)
  }
}
export const json = (value: unknown): JsonValue => new JsonValue(value)

/** True when the statement was cancelled, in general for running into its time limit. */
export const isCancelled = (error: unknown): boolean => error instanceof DatabaseError && error.code === '57014'

/** True when the statement was refused because one before it had failed in the same transaction: the cause is that one's. */
export const isAftermath = (error: unknown): boolean => error instanceof DatabaseError && error.code === '25P02'

/** True when running the same transaction again can succeed: serialization failure or deadlock, itself or as a cause. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof DatabaseError) return error.code === '40001' || error.code === '40P01'
  return error instanceof Error && error.cause !== undefined && isRetryable(error.cause)
}
