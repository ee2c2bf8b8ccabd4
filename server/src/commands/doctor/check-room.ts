import { type Database, isFull, isServerTrouble, sql } from '../../platform/db/db.ts'
import { type Finding, failure, ok, reasonOf } from './finding.ts'

const ROWS = 1_100

class Undone extends Error {}

/** Whether the server of the database has room for 1 MiB more. What is written for that is undone. */
export async function checkRoom(database: Database): Promise<Finding[]> {
  try {
    await database.transaction(async (db) => {
      await db.query(sql`
        create temporary table doctor_room on commit drop as
        select repeat('x', 1000) as text from generate_series(1, ${ROWS}::int)`)
      throw new Undone()
    })
  } catch (error) {
    if (error instanceof Undone) return [ok(DISK, 'PostgreSQL has room to write.')]
    if (isFull(error)) return [failure(DISK, `The disk of PostgreSQL is full: ${reasonOf(error)}`, FREE)]
    if (isServerTrouble(error)) return [failure(DISK, `PostgreSQL cannot write: ${reasonOf(error)}`, LOOK)]
    // Who may make no such table may still write.
  }
  return []
}

const DISK = 'database disk'
const FREE = 'Free space there, or give it more: until then writes fail.'
const LOOK = 'Its log says more.'
