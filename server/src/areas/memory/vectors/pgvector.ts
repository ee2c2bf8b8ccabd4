import { DatabaseUnavailable, type Db, sql } from '../../../platform/db/db.ts'
import type { Log } from '../../../platform/log.ts'

/**
 * Creates the extension `vector` if the database server has it and the user may. Code that needs it checks for it.
 * Throws while the database is away: that says nothing of the extension.
 */
export async function preparePgvector(db: Db, log: Log): Promise<void> {
  try {
    await db.query(sql`
      do $$ begin
        if exists (select from pg_available_extensions where name = 'vector') then
          create extension if not exists vector;
        end if;
      end $$`)
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    log.warn({ err: error }, 'the extension vector was not created; vectors are compared in this process alone')
  }
}
