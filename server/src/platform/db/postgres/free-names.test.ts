import { describe, expect, onTestFinished, test } from 'vitest'
import { pgbouncerVersion, startPgbouncer } from '../../../../test/pgbouncer.ts'
import { startPooler } from '../../../../test/pooler.ts'
import { freshNativeUrl } from '../../../../test/running-service.ts'
import { DatabaseError, sql } from '../db.ts'
import { openPostgres } from '../postgres.ts'

const isPostgres = process.env.TEST_DATABASE === 'postgres'
const [major = 0, minor = 0] = pgbouncerVersion() ?? []
const keepsTrack = major > 1 || minor >= 21

const POOLERS = [
  { name: 'a pooler that keeps the names of its clients', start: startPooler },
  ...(keepsTrack ? [{ name: `PgBouncer ${major}.${minor}`, start: startPgbouncer }] : []),
]

describe.runIf(isPostgres).each(POOLERS)('behind $name', ({ start }) => {
  async function openBehind() {
    const directUrl = await freshNativeUrl()
    const pooler = await start(directUrl)
    onTestFinished(() => pooler.close())
    const options = { poolSize: 1, pipeline: true, statementTimeoutMs: 20_000 }
    const losses: Error[] = []
    const onError = (error: Error) => losses.push(error)
    const database = await openPostgres({ url: pooler.url, directUrl, ...options, onError })
    onTestFinished(() => database.close())
    return { database, losses }
  }

  test('a transaction whose statements were refused behind a failure works on the same connection', async () => {
    const { database, losses } = await openBehind()
    const divide = (by: number) =>
      database.transaction(async (db) => {
        db.send(sql`select 1 / ${by}::int`)
        db.send(sql`select ${by}::int as behind`)
      })
    for (let times = 0; times < 3; times++) await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
    await divide(1)
    expect(losses).toEqual([])
  })

  test('a transaction that fails for others is run again with the statements behind the failure', async () => {
    const { database } = await openBehind()
    let runs = 0
    const rows = await database.transaction(async (db) => {
      db.send(runs++ === 0 ? sql`do $$ begin raise serialization_failure; end $$` : sql`select 1`)
      return db.query(sql`select ${runs}::int as run`)
    })
    expect(rows).toEqual([{ run: 2 }])
  })

  test('reads and work of which a statement cannot be parsed are refused for that each time', async () => {
    const { database } = await openBehind()
    for (const db of [database, database.work, database.checks]) {
      const read = () => db.query(sql`select ${1}::int as id from missing`)
      const outcomes = await Promise.allSettled([read(), read(), ...Array.from({ length: 10 }, read)])
      const again = await Promise.allSettled([read(), read()])
      const reasons = [...outcomes, ...again].map((outcome) => outcome.status === 'rejected' && outcome.reason)
      for (const reason of reasons) expect(reason).toBeInstanceOf(DatabaseError)
      expect(new Set(reasons.map(({ code }) => code))).toEqual(new Set(['42P01']))
    }
  })
})
