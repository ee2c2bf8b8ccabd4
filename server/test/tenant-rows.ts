import { type Database, join, raw, sql } from '../src/platform/db/db.ts'

/**
 * Fingerprints of every row that belongs to an API key, table by table. Equal before and after means no effect. The
 * sample of recent requests is left out: requests that are refused or only read are among them.
 */
export async function tenantRows(database: Database, apiKey: string): Promise<Record<string, string>> {
  const tables = await database.query<{ name: string }>(sql`
    select c.table_name as name
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'api_key' and t.table_type = 'BASE TABLE'
      and c.table_name <> 'recent_request'
    order by c.table_name`)
  const prints = tables.map(
    ({ name }) => sql`
      select ${name} as name, count(*) || ':' || coalesce(sum(hashtextextended(r::text, 0)::numeric), 0) as print
      from ${raw(`"${name}"`)} r
      where api_key = ${apiKey}`,
  )
  const rows = await database.query<{ name: string; print: string }>(join(prints, ' union all '))
  return Object.fromEntries(rows.map(({ name, print }) => [name, print]))
}
