import sql, { empty, join, raw, type Sql } from 'sql-template-tag'

export { empty, join, raw, type Sql, sql }

/** Runs one statement. Inside a writing operation it is part of the transaction. */
export interface Db {
  /**
   * Returns the rows of one statement. Values travel as parameters: arrays as Postgres arrays, plain objects and
   * `json(…)` as jsonb, `Uint8Array` as bytea. `undefined` is refused. `bigint` and `count(*)` return as numbers.
   */
  query<Row extends object = Record<string, unknown>>(statement: Sql): Promise<Row[]>
}

/**
 * One transaction. It ends with its work: a later statement is refused and never runs.
 */
export interface Transaction extends Db {
  /**
   * Sends a statement whose answer the work does not need, in the order of the calls. The commit does not wait for the
   * answer but follows in the same packet if the work ends first; so the last statements of a transaction and its
   * commit are one exchange. A failure fails the transaction, which rejects with it and writes nothing. Before that
   * settles, `read` receives the rows or `fail` the error; neither may throw. Throws if the parameters are refused.
   */
  send<Row extends object = Record<string, unknown>>(
    statement: Sql,
    read?: (rows: Row[]) => void,
    fail?: (error: unknown) => void,
  ): void
}

/** A connected database, embedded or remote: one dialect, one behaviour. */
export interface Database extends Db {
  readonly kind: 'embedded' | 'postgres'
  /** For the fast look-ups that every request waits for (authentication, readiness). No other read delays them. */
  readonly checks: Db
  /** For the reads of a caller. However many there are, those of others find room beside them. */
  readsOf(caller: string): Db
  /** Whether `checks` are answered even while open transactions take all that the database gives this process. */
  readonly checksAlways: boolean
  /**
   * For the workers' statements, on connections apart from those that reads share. Each is a transaction of its own and
   * is retried like one. Plans are kept, and none scans or sorts a whole table where an index fits. The planner may
   * take a full queue for an empty one, because queues grow within seconds. So a statement must look rows up one by one
   * and change them by `ctid`; otherwise it may compare the whole queue with all its items.
   */
  readonly work: Db
  /**
   * Runs `work` in one transaction; resolves after its commit is durable. After a serialization failure or a deadlock
   * it runs `work` again, at most 5 times. So `work` must have no effect but its statements. Where one transaction runs
   * at a time, the `caller` who has taken the least time is next.
   */
  transaction<T>(work: (db: Transaction) => Promise<T>, caller?: string): Promise<T>
  /** Runs several statements without parameters in one transaction (migrations, maintenance). */
  script(text: string): Promise<void>
  /**
   * Runs `work` on a connection of its own, each statement a transaction by itself and without a time limit. For what
   * PostgreSQL refuses inside a transaction, such as building an index while the table is written.
   */
  session<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * Runs `work`, which only reads, on one consistent state of all data, for as long as it takes. Others go on writing.
   */
  snapshot<T>(work: (db: Db) => Promise<T>, how?: SnapshotOptions): Promise<T>
  /** Calls `wake` at every NOTIFY on `channel`, and after a reconnect, when notifications may have been lost. */
  listen(channel: string, wake: () => void): Promise<void>
  /** How busy the connections are now; reads nothing. */
  state(): DatabaseState
  close(): Promise<void>
}

export interface SnapshotOptions {
  /**
   * Whether nothing else is asked of the database from then on. So others may have an embedded one while `work` runs.
   */
  isLast?: boolean
}

/** How busy the connections of a process are. */
export interface DatabaseState {
  /** Connections for transactions, and how many callers wait for one. */
  transactions: { most: number; open: number; inUse: number; waiting: number }
  /** Statements without an answer on the connections that are shared, by their use. */
  shared: Record<string, number>
  /** Whether notifications arrive; true while nothing is to be heard. */
  isListening: boolean
}

/** The database could not be reached or takes no writes, or the connection broke before the statement was answered. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/** The database is there, and takes no writes for now, as a standby does. */
export class DatabaseReadOnly extends DatabaseUnavailable {}

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

/** A JSON document as a parameter. Arrays and scalars need it, since they would become Postgres values otherwise. */
export class JsonValue {
  readonly text: string
  constructor(value: unknown) {
    this.text = JSON.stringify(value)
  }
}
/** A value as a JSON document. */
export const json = (value: unknown): JsonValue => new JsonValue(value)

/** True if the statement was cancelled, usually because it reached its time limit. */
export const isCancelled = (error: unknown): boolean => error instanceof DatabaseError && error.code === '57014'

/** True if the disk of the database has no room for what the statement writes (SQLSTATE 53100). */
export const isFull = (error: unknown): boolean => error instanceof DatabaseError && error.code === '53100'

/**
 * True if the server of the database lacked memory or another resource, or its system failed, as where a disk cannot be
 * read (SQLSTATE classes 53 and 58).
 */
export const isServerTrouble = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && /^(53|58)/.test(error.code)

/** Not of PostgreSQL, which leaves codes that begin so to others. */
export const NO_ROOM_FOR_COPY = 'PR001'

/** True if the disk has no room for a copy of the database. It is not full, and the message is for the caller. */
export const lacksRoomForCopy = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && error.code === NO_ROOM_FOR_COPY

/**
 * True if the statement was refused because an earlier one failed, whose error is the cause: that of its transaction,
 * or the one of the same text that was to be prepared before it. It did not run.
 */
export const isAftermath = (error: unknown): boolean =>
  isUnprepared(error) || (error instanceof DatabaseError && error.code === '25P02')

/** True if the session does not have the prepared statement: it was lost, or its parse failed (SQLSTATE 26000). */
export const isUnprepared = (error: unknown): boolean => error instanceof DatabaseError && error.code === '26000'

/** True if a row was refused because the one that it belongs to is not there, or no more (SQLSTATE 23503). */
export const isWithoutParent = (error: unknown): boolean => error instanceof DatabaseError && error.code === '23503'

/** True if a retry of the transaction can succeed: a serialization failure or deadlock, itself or as a cause. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof DatabaseError) return error.code === '40001' || error.code === '40P01'
  return error instanceof Error && error.cause !== undefined && isRetryable(error.cause)
}

/** The time of the database, in epoch milliseconds; it dates changes. */
export async function databaseTime(db: Db): Promise<number> {
  const [row] = await db.query<{ now: number }>(sql`select now_ms() as now`)
  if (!row) throw new Error('The database has no time.')
  return row.now
}

/** How often a transaction is attempted at most. */
const ATTEMPTS = 5

/** Attempts a transaction until it succeeds, or fails in a way that another attempt would not mend. */
export async function retrying<T>(attempt: () => Promise<T>, mayPass = isRetryable): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (!mayPass(error) || tries === ATTEMPTS) throw error
    }
  }
}

/**
 * Waits for all of them: statements of one transaction that are sent together. Throws the first failure that is not the
 * aftermath of another.
 */
export async function together<T extends readonly unknown[]>(
  work: readonly [...{ [Index in keyof T]: Promise<T[Index]> }],
): Promise<T> {
  try {
    return (await Promise.all(work)) as unknown as T
  } catch {
    const outcomes = await Promise.allSettled(work)
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    throw failures.find((failure) => !isAftermath(failure)) ?? failures[0]
  }
}
