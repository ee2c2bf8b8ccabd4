import { type Database, isFull, isServerTrouble } from '../../platform/db/db.ts'
import { type Finding, failure, ok, reasonOf } from './finding.ts'

/** Writes 1 MiB, and undoes it. */
const WRITE = `
  do $$ begin
    create temporary table doctor_room as select repeat('x', 1000) as text from generate_series(1, 1100);
    raise sqlstate 'PR002';
  exception when sqlstate 'PR002' then null;
  end $$`

/** Whether the server of the database has room for 1 MiB more. */
export async function checkRoom(database: Database): Promise<Finding[]> {
  try {
    await database.script(WRITE)
    return [ok(DISK, 'PostgreSQL has room to write.')]
  } catch (error) {
    if (isFull(error)) return [failure(DISK, `The disk of PostgreSQL is full: ${reasonOf(error)}`, FREE)]
    if (isServerTrouble(error)) return [failure(DISK, `PostgreSQL cannot write: ${reasonOf(error)}`, LOOK)]
    // Who may make no such table may still write.
    return []
  }
}

const DISK = 'database disk'
const FREE = 'Free space there, or give it more: until then writes fail.'
const LOOK = 'Its log says more.'
