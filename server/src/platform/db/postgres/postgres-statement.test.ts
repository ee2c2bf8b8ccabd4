import { EventEmitter, once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freshNativeUrl } from '../../../../test/running-service.ts'
import { sql, together } from '../db.ts'
import { openPostgres } from '../postgres.ts'

const isPostgres = process.env.TEST_DATABASE === 'postgres'

async function open(statementTimeoutMs = 20_000) {
  const options = { poolSize: 2, pipeline: true, statementTimeoutMs, onError: () => {} }
  const database = await openPostgres({ url: await freshNativeUrl(), ...options })
  onTestFinished(() => database.close())
  return database
}

/** Twice the same statement, which is new to the connection: only the first is prepared. */
const NEW = [sql`select 1 as first_use`, sql`select 1 as first_use`] as const

describe.runIf(isPostgres)('statements whose text is new to a connection', () => {
  test('hide no error of the statement before them', async () => {
    const database = await open()
    const failing = database.transaction(async (db) => {
      db.send(sql`select 1 / ${0}::int`)
      await together([db.query(NEW[0]), db.query(NEW[1])])
    })
    await expect(failing).rejects.toMatchObject({ code: '22012' })
  })

  test('hide no deadlock, so that the transaction runs again', async () => {
    const database = await open()
    await database.script('create table pair (id int primary key, n int); insert into pair values (1, 0), (2, 0)')
    const held = new Set<number>()
    const locks = new EventEmitter()
    let runs = 0
    const both = (own: number, other: number) =>
      database.transaction(async (db) => {
        runs++
        await db.query(sql`update pair set n = n + 1 where id = ${own}`)
        held.add(own)
        locks.emit('held')
        while (!held.has(other)) await once(locks, 'held')
        db.send(sql`update pair set n = n + 1 where id = ${other}`)
        await together([db.query(NEW[0]), db.query(NEW[1])])
      })
    await Promise.all([both(1, 2), both(2, 1)])
    // The victim runs again; on a busy machine it may meet the other a second time.
    expect(runs).toBeGreaterThanOrEqual(3)
    expect(await database.query(sql`select n from pair order by id`)).toEqual([{ n: 2 }, { n: 2 }])
  }, 30_000)

  test('run again with their transaction if the session has lost them', async () => {
    const database = await open()
    await database.script('create table counted (n int); insert into counted values (0)')
    const count = () =>
      database.transaction(async (db) => {
        await db.query(sql`update counted set n = n + ${1}::int`)
        return db.query(sql`select n from counted where n > ${0}::int`)
      })
    await count()
    await database.transaction((db) => db.query(sql`deallocate all`))
    expect(await count()).toEqual([{ n: 2 }])
    expect(await count()).toEqual([{ n: 3 }])
  })

  test('behind one that is cancelled while it is parsed run, or are cancelled themselves', async () => {
    const database = await open(300)
    await database.script('create table locked (id int)')
    const codes = await database.transaction(async (db) => {
      await db.query(sql`lock table locked in access exclusive mode`)
      const reads = Array.from({ length: 8 }, () => database.query(sql`select id from locked`))
      const outcomes = await Promise.allSettled(reads)
      return outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'ran'))
    })
    expect(codes).toEqual(Array.from({ length: 8 }, () => '57014'))
  })
})
