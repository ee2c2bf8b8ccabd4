import pg from 'pg'

/** Settings of a session by name, each with its value as PostgreSQL shows it. */
export type SessionSettings = Readonly<Record<string, string>>

/** What every session of the service needs; `statementTimeoutMs` 0 sets no limit. */
export const sessionSettings = (statementTimeoutMs: number): SessionSettings => ({
  // JIT compilation of a plan takes longer than any of these statements.
  jit: 'off',
  // A whole table is never scanned, since it has the rows of all tenants (docs/decisions/planned-rows.md).
  enable_seqscan: 'off',
  statement_timeout: milliseconds(statementTimeoutMs),
  idle_in_transaction_session_timeout: '30s',
  // Its administrator may have set one for all. Whoever waits for a lock is bound by the limit of the statement.
  lock_timeout: '0',
  // So may it have set another level. A transaction that takes a lock must see what others have written until then.
  default_transaction_isolation: 'read committed',
  // Off, a null in a list that is sent would be the text NULL.
  array_nulls: 'on',
  // On, names of tables would come in quotes: that of a partition, of which the name of an index is made, and in
  // exports.
  quote_all_identifiers: 'off',
})

/**
 * The settings of `Database.work`: plans use an index for the order too, and are kept. Planning at each call took a
 * quarter of the database time of a webhook delivery.
 */
export const WORK_SETTINGS = { enable_sort: 'off', plan_cache_mode: 'force_generic_plan' }

/** Gives the settings to a session. Only for a connection that no pooler shares: they would reach its other users. */
export const setSession = (settings: SessionSettings): string => assignments('set', settings)

/** Begins a transaction with the settings, which end with it. Its level can be chosen only as it begins. */
export const beginWith = (settings: SessionSettings, begin = 'begin isolation level read committed'): string =>
  [begin, assignments('set local', settings)].join('; ')

/** The statement by which an operator gives the settings to all sessions of a role in a database. */
export function alterRole(role: string, database: string, settings: SessionSettings): string {
  const owner = `alter role ${pg.escapeIdentifier(role)} in database ${pg.escapeIdentifier(database)}`
  return assignments(`${owner} set`, settings)
}

const assignments = (verb: string, settings: SessionSettings): string =>
  Object.entries(settings)
    .map(([name, value]) => `${verb} ${name} = ${pg.escapeLiteral(value)}`)
    .join('; ')

/** As PostgreSQL shows a time: in the largest unit that divides it. */
function milliseconds(count: number): string {
  const units: [string, number][] = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ]
  const [unit, size] = units.find(([, size]) => count > 0 && count % size === 0) ?? ['ms', 1]
  return count === 0 ? '0' : `${count / size}${unit}`
}
