import { type Database, sql } from '../../src/platform/db/db.ts'

/** Adds so many copies of each recording of an API key, beside it. */
export const addCopies = (database: Database, apiKey: string, count: number) =>
  database.query(sql`
    insert into recording (api_key, organization_key, key, id, document_key, location_key, record)
    select api_key, organization_key, md5(id || n)::uuid, id || n, document_key, location_key, record
    from recording, generate_series(1, ${count}::integer) n
    where api_key = ${apiKey}`)
