import type pg from 'pg'

interface Connected {
  connection: NodeJS.EventEmitter & { stream: { destroy(): void } }
}

/** Breaks a connection at once. Its peer would not answer a farewell. */
export function destroy(client: pg.ClientBase): void {
  ;(client as unknown as Connected).connection.stream.destroy()
}

/**
 * Ends a connection that owes an answer and gives none for `limitMs`; 0 is no limit. Its peer may be gone without a
 * word, as in a failover, and TCP may take a quarter of an hour to find that out (RFC 9293 §3.8.3). The statements on
 * it then fail, and later ones have a new connection. The limit must be longer than that of the server for a statement.
 * `onSilent` is told of it: connections that owe nothing may have lost their peer too.
 */
export function endIfSilent(client: pg.ClientBase, limitMs: number, onSilent: () => void): void {
  if (limitMs === 0) return
  const { connection } = client as unknown as Connected
  let owed = 0
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    timer = setTimeout(() => {
      destroy(client)
      onSilent()
    }, limitMs).unref()
  }
  const query = client.query.bind(client) as (...sent: unknown[]) => unknown
  Object.assign(client, {
    query: (...sent: unknown[]) => {
      if (owed++ === 0) wait()
      return query(...sent)
    },
  })
  connection.on('readyForQuery', () => {
    // Also once after the start, which no statement has asked for.
    if (owed === 0) return
    clearTimeout(timer)
    if (--owed > 0) wait()
  })
  client.once('end', () => clearTimeout(timer))
}
