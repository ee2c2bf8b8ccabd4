import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshNativeUrl, testDatabase } from '../../../test/running-service.ts'
import { startProxy } from '../../../test/tcp-proxy.ts'
import { asBytes } from './column-types.ts'
import { type Database, DatabaseError, DatabaseUnavailable, json, raw, type Sql, sql, type Transaction } from './db.ts'
import { openPostgres } from './postgres.ts'

let database: Database

beforeAll(async () => {
  database = await testDatabase()
  await database.script('create table item (id bigint primary key, n bigint not null default 0)')
})
afterAll(() => database.close())

describe('both databases behave alike', () => {
  test('values come back as they went in', async () => {
    const value = { a: [1, 'x', null], b: { ['__proto__']: 1 }, c: 'ü🜁' }
    const [row] = await database.query(sql`
      select ${'text'}::text as t, ${5}::bigint as n, ${true}::boolean as b, ${null}::text as nothing,
        ${json(value)}::jsonb as j, ${json([1, 2])}::jsonb as list, ${['a', 'b"\\,{}', null]}::text[] as texts,
        ${Buffer.from([0, 255])}::bytea as bytes, ${1.5}::double precision as d, count(*) as count`)
    expect(row).toMatchObject({
      t: 'text',
      n: 5,
      b: true,
      nothing: null,
      list: [1, 2],
      texts: ['a', 'b"\\,{}', null],
      d: 1.5,
      count: 1,
    })
    expect(JSON.stringify(row?.j)).toBe(JSON.stringify(value))
    expect(Buffer.from(row?.bytes as Uint8Array)).toEqual(Buffer.from([0, 255]))
  })

  test.each([0, 1, 2, 3, 1000])('%i bytes that are asked for as bytes arrive as such', async (length) => {
    const bytes = randomBytes(length)
    const [row] = await database.query(sql`
      select ${asBytes(sql`${bytes}::bytea`)} as bytes, ${asBytes(sql`null::bytea`)} as nothing`)
    expect(row).toEqual({ bytes, nothing: null })
  })

  test('arrays of every kind travel as Postgres arrays', async () => {
    const uuid = '00000000-0000-4000-8000-000000000000'
    const [row] = await database.query(sql`
      select ${[uuid]}::uuid[] as uuids, ${[1, 2 ** 40]}::bigint[] as numbers, ${[true, null]}::boolean[] as flags,
        ${[json({ a: 1 }), json('x')]}::jsonb[] as documents, ${[]}::text[] as none`)
    expect(row).toEqual({
      uuids: [uuid],
      numbers: [1, 2 ** 40],
      flags: [true, null],
      documents: [{ a: 1 }, 'x'],
      none: [],
    })
  })

  test('a statement goes by an index however small its table is', async () => {
    const explain = sql`explain select id from item where id > ${1}::bigint`
    await database.script('analyze item')
    const run = { query: (statement: Sql) => database.transaction((db) => db.query(statement)) }
    for (const db of [database, database.checks, database.work, run])
      expect(JSON.stringify(await db.query(explain))).toMatch(/Index/)
  })

  test('what workers run is planned once per connection, whatever texts callers have shaped before', async () => {
    const shapes = Array.from({ length: 600 }, (_, i) => database.query(sql`select n as ${raw(`a${i}`)} from item`))
    await Promise.all(shapes)
    for (let i = 0; i < 10; i++) await database.work.query(sql`select id from item where id > ${i}::bigint`)
    const [kept] = await database.work.query(sql`
      select sum(generic_plans)::integer as kept, sum(custom_plans)::integer as made
      from pg_prepared_statements
      where statement like 'select id%'`)
    expect(kept).toEqual({ kept: 10, made: 0 })
  })

  test('undefined is refused, naming the parameter', async () => {
    await expect(database.query(sql`select ${1}::int, ${undefined}::text`)).rejects.toThrow(/2|undefined/)
  })

  test('a refused statement says its SQLSTATE and constraint', async () => {
    await database.query(sql`insert into item (id) values (1)`)
    const failure = await database.query(sql`insert into item (id) values (1)`).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(DatabaseError)
    expect(failure).toMatchObject({ code: '23505', constraint: 'item_pkey' })
  })

  test('a transaction that throws leaves nothing, and its error comes through', async () => {
    const boom = new Error('boom')
    const attempt = database.transaction(async (db) => {
      await db.query(sql`insert into item (id) values (2)`)
      throw boom
    })
    await expect(attempt).rejects.toBe(boom)
    expect(await database.query(sql`select id from item where id = 2`)).toEqual([])
  })

  test('statements sent together run in order inside the transaction', async () => {
    const rows = await database.transaction(async (db) => {
      const [, read] = await Promise.all([
        db.query(sql`insert into item (id, n) values (3, 30)`),
        db.query(sql`select n from item where id = 3`),
      ])
      return read
    })
    expect(rows).toEqual([{ n: 30 }])
  })

  test('what a transaction only sends is written once it resolves, and its rows were heard', async () => {
    const heard: object[] = []
    await database.transaction(async (db) => {
      db.send(sql`insert into item (id) values (20)`)
      db.send(sql`update item set n = 7 where id = 20 returning n`, (rows) => heard.push(...rows))
    })
    expect(heard).toEqual([{ n: 7 }])
    expect(await database.query(sql`select n from item where id = 20`)).toEqual([{ n: 7 }])
  })

  test('a sent statement that fails fails its transaction by its own error, and nothing is written', async () => {
    const failed: unknown[] = []
    const last = database.transaction(async (db) => {
      await db.query(sql`insert into item (id) values (30)`)
      db.send(sql`insert into item (id) values (30)`, undefined, (error) => failed.push(error))
      db.send(sql`insert into item (id) values (31)`)
    })
    await expect(last).rejects.toMatchObject({ code: '23505', constraint: 'item_pkey' })
    expect(failed).toMatchObject([{ code: '23505' }])
    const followed = database.transaction(async (db) => {
      db.send(sql`insert into item (id) values (30), (30)`)
      await db.query(sql`select 1`)
    })
    await expect(followed).rejects.toMatchObject({ code: '23505' })
    expect(await database.query(sql`select id from item where id between 30 and 31`)).toEqual([])
  })

  test('a sent statement whose parameters are refused throws at once, and nothing is written', async () => {
    const attempt = database.transaction(async (db) => {
      db.send(sql`insert into item (id) values (32)`)
      db.send(sql`insert into item (id) values (${undefined})`)
    })
    await expect(attempt).rejects.toThrow(/undefined/)
    expect(await database.query(sql`select id from item where id = 32`)).toEqual([])
  })

  test('an error of the work rolls back what was sent', async () => {
    const boom = new Error('boom')
    const attempt = database.transaction(async (db) => {
      db.send(sql`insert into item (id) values (33)`)
      throw boom
    })
    await expect(attempt).rejects.toBe(boom)
    expect(await database.query(sql`select id from item where id = 33`)).toEqual([])
  })

  test('a statement after the end of its transaction is refused and never runs', async () => {
    const boom = new Error('boom')
    for (const end of [() => {}, () => Promise.reject(boom)]) {
      let late: Transaction | undefined
      const ended = database.transaction(async (db) => {
        late = db
        db.send(sql`select 1`)
        await end()
      })
      await ended.catch((error: unknown) => expect(error).toBe(boom))
      expect(() => late?.send(sql`insert into item (id) values (40)`)).toThrow(/has ended/)
      await expect(late?.query(sql`insert into item (id) values (40)`)).rejects.toThrow(/has ended/)
    }
    expect(await database.query(sql`select id from item where id = 40`)).toEqual([])
  })

  test('a statement that comes after the work, before the answer to its begin, is refused too', async () => {
    let refused: Promise<unknown> | undefined
    await database.transaction(async (db) => {
      // The work has ended by then; no answer of the database can have come.
      const later = new Promise<void>((resolve) => process.nextTick(() => queueMicrotask(resolve)))
      refused = later.then(() => db.query(sql`insert into item (id) values (43)`)).catch((error: unknown) => error)
    })
    expect(String(await refused)).toMatch(/has ended/)
  })

  test('a statement that comes while the commit is under way is refused too', async () => {
    let refused: Promise<unknown> | undefined
    await database.transaction(async (db) => {
      db.send(sql`insert into item (id) values (41)`, () => {
        refused = db.query(sql`insert into item (id) values (42)`).catch((error: unknown) => error)
      })
    })
    expect(String(await refused)).toMatch(/has ended/)
    expect(await database.query(sql`select id from item where id between 41 and 42`)).toEqual([{ id: 41 }])
  })

  test('a transaction runs again after a serialization failure in a statement that it only sent', async () => {
    let attempts = 0
    await database.transaction(async (db) => {
      attempts++
      db.send(sql`insert into item (id, n) values (50, ${attempts}::bigint)`)
      if (attempts < 3) db.send(raw("do 'begin raise serialization_failure; end'"))
    })
    expect(attempts).toBe(3)
    expect(await database.query(sql`select n from item where id = 50`)).toEqual([{ n: 3 }])
  })

  test('concurrent transactions on the same rows in opposite order all succeed: a deadlock is run again', async () => {
    await database.query(sql`insert into item (id) values (10), (11)`)
    const touch = (first: number, second: number) =>
      database.transaction(async (db) => {
        await db.query(sql`update item set n = n + 1 where id = ${first}`)
        await db.query(sql`select pg_sleep(0.05)`)
        await db.query(sql`update item set n = n + 1 where id = ${second}`)
      })
    await Promise.all([touch(10, 11), touch(11, 10), touch(10, 11), touch(11, 10)])
    expect(await database.query(sql`select n from item where id in (10, 11)`)).toEqual([{ n: 4 }, { n: 4 }])
  })

  test('a notification wakes every listener of its channel', async () => {
    let wake = () => {}
    const woken = new Promise<void>((resolve) => {
      wake = resolve
    })
    await database.listen('test_channel', () => wake())
    await database.query(sql`select pg_notify('test_channel', '')`)
    await woken
  })
})

describe.runIf(process.env.TEST_DATABASE === 'postgres')('a PostgreSQL server that goes away', () => {
  test('calls fail with DatabaseUnavailable meanwhile, and the connections heal by themselves', async () => {
    const proxy = await startProxy(await freshNativeUrl())
    const remote = await openPostgres({
      url: proxy.url,
      poolSize: 2,
      pipeline: true,
      statementTimeoutMs: 5_000,
      onError: () => {},
    })
    let wakes = 0
    await remote.listen('test_heal', () => wakes++)
    const wakesBefore = wakes
    const slow = remote.query(sql`select pg_sleep(5)`).catch((error: unknown) => error)
    proxy.cut()
    expect(await slow).toBeInstanceOf(DatabaseUnavailable)
    await expect(remote.query(sql`select 1`)).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(remote.transaction((db) => db.query(sql`select 1`))).rejects.toBeInstanceOf(DatabaseUnavailable)
    proxy.restore()
    await expect.poll(() => remote.query(sql`select 1 as one`).catch(() => null)).toEqual([{ one: 1 }])
    await expect
      .poll(() => remote.transaction((db) => db.query(sql`select 1 as one`)).catch(() => null))
      .toEqual([{ one: 1 }])
    await expect.poll(() => wakes, { timeout: 5_000 }).toBeGreaterThan(wakesBefore)
    await remote.close()
    proxy.close()
  })

  test('a statement over its timeout is cancelled with 57014', async () => {
    const remote = await openPostgres({
      url: await freshNativeUrl(),
      poolSize: 1,
      pipeline: true,
      statementTimeoutMs: 100,
      onError: () => {},
    })
    await expect(remote.query(sql`select pg_sleep(5)`)).rejects.toMatchObject({ code: '57014' })
    await remote.close()
  })
})

describe.runIf(process.env.TEST_DATABASE === 'postgres')('the connections that reads share', () => {
  const LOCK = 4_711

  /** Runs `work` while `count` reads wait for a lock. */
  async function whileStuck(count: number, work: () => Promise<void>): Promise<void> {
    let stuck: Promise<unknown>[] = []
    await database.transaction(async (db) => {
      await db.query(sql`select pg_advisory_xact_lock(${LOCK})`)
      stuck = Array.from({ length: count }, () => database.query(sql`select pg_advisory_xact_lock_shared(${LOCK})`))
      await work()
    })
    await Promise.all(stuck)
  }

  test('a read that takes long holds up no other', async () => {
    await whileStuck(1, async () => {
      for (let read = 0; read < 8; read++) expect(await database.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    })
  })

  test('checks are answered however many reads take long', async () => {
    await whileStuck(16, async () => {
      expect(await database.checks.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    })
  })

  test('statements stay prepared, but not without limit', async () => {
    for (let text = 0; text < 1_200; text++) await database.query(sql`select ${raw(String(text))} as text`)
    const [held] = await database.query<{ count: number }>(sql`select count(*) from pg_prepared_statements`)
    expect(held?.count).toBeGreaterThan(0)
    expect(held?.count).toBeLessThanOrEqual(500)
  })
})
