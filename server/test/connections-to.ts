import pg from 'pg'

/** The states of the other connections to a database. */
export async function connectionsTo(url: string): Promise<string[]> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ state: string }>(`
    select state
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`)
  await client.end()
  return rows.map(({ state }) => state)
}
