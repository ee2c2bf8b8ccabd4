import type pg from 'pg'

/** What the driver knows of the statements that it has prepared on a connection. */
interface Prepared {
  parsedStatements: Record<string, string>
  parse(statement: { name?: string }): void
  close(statement: { type: 'S'; name: string }): void
}

const preparedOn = (client: pg.ClientBase) => (client as unknown as { connection: Prepared }).connection

/**
 * Frees the name of each statement right before it is prepared. The server forgets a statement that it refused to
 * parse, but PgBouncer does not: it ends the connection of a client that prepares one of that name again.
 */
export function freeNames(client: pg.ClientBase): void {
  const connection = preparedOn(client)
  const parse = connection.parse.bind(connection)
  connection.parse = (statement) => {
    if (statement.name) connection.close({ type: 'S', name: statement.name })
    parse(statement)
  }
}

/** The next use of each statement on this connection prepares it again: a session that lost one has mostly lost all. */
export function forgetPrepared(client: pg.ClientBase): void {
  preparedOn(client).parsedStatements = {}
}
