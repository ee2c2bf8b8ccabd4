/** Connections that reads share. */
export const READERS = 5
/** Connections that the statements of the workers share. */
export const WORKERS = 4
/** Connections for reads of one moment, such as a backup. */
export const SNAPSHOTS = 2
/**
 * How many connections a process opens at most beside those for transactions: checks, notifications and scripts too.
 */
export const FURTHER_CONNECTIONS = READERS + WORKERS + SNAPSHOTS + 3
