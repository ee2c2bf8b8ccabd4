import type { Database, Db, Sql } from '../db/db.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { type Tracing, UNTRACED } from './tracing.ts'

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
  const { query } = traced(database)
  return {
    kind: database.kind,
    query,
    checks: traced(database.checks),
    work: traced(database.work),
    transaction: (work) => {
      const run = () => database.transaction((db) => work(traced(db)))
      return tracing.current() === null ? run() : tracing.span('transaction', TRANSACTION, run)
    },
    script: (text) => database.script(text),
    snapshot: (work) => database.snapshot(work),
    session: (work) => database.session(work),
    listen: (channel, wake) => database.listen(channel, wake),
    state: () => database.state(),
    close: () => database.close(),
  }
}

const TRANSACTION = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const

const nameOf = ({ text }: Sql) => /\w+/.exec(text)?.[0].toLowerCase() ?? 'statement'

const about = ({ text }: Sql) => ({
  kind: 'client' as const,
  attributes: { 'db.system.name': 'postgresql', 'db.query.text': text.trim().slice(0, MOST_TEXT) },
})

/**
 * Outbound requests with a span for each that belongs to a trace. They carry its `traceparent`. The span names the host
 * alone: a customer may have put a secret into the path.
 */
export function tracedOutbound(outbound: Outbound, tracing: Tracing): Outbound {
  if (tracing === UNTRACED) return outbound
  return {
    assertUrl: (url, field) => outbound.assertUrl(url, field),
    close: () => outbound.close(),
    request: (request) => {
      if (tracing.current() === null) return outbound.request(request)
      const { hostname, port, protocol } = new URL(request.url)
      const attributes = {
        'http.request.method': request.method,
        'server.address': hostname,
        'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
      }
      return tracing.span(request.method, { kind: 'client', attributes }, async (span) => {
        const headers = { ...request.headers, traceparent: tracing.current() ?? '' }
        const response = await outbound.request({ ...request, headers })
        span.set({ 'http.response.status_code': response.status })
        if (response.status >= 400) span.fail(String(response.status))
        return response
      })
    },
  }
}
