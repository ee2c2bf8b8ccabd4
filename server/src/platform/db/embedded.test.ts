import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, DatabaseError, DatabaseUnavailable, json, sql } from './db.ts'
import { openEmbedded } from './embedded.ts'

let db: Database
beforeAll(async () => {
  db = await openEmbedded({ dataDir: 'memory', transactionIdleMs: 1_000 })
  await db.script('create table note (id bigint primary key, text text)')
})
afterAll(() => db.close())

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('a statement', () => {
  it('of one reader waits behind few of another, however many those are', async () => {
    let answered = 0
    const many = Array.from({ length: 100 }, async () => {
      await db.readsOf('many').query(sql`select 1`)
      answered += 1
    })
    await db.readsOf('few').query(sql`select 1`)
    expect(answered).toBeLessThan(40)
    await Promise.all(many)
  })

  it('waits behind one transaction of another caller, and a check behind none but the one under way', async () => {
    const begun: string[] = []
    const transaction = (name: string) =>
      db.transaction(async (own) => {
        begun.push(name)
        await own.query(sql`select pg_sleep(.03)`)
      }, 'many')
    const many = ['first', 'second', 'third', 'fourth', 'fifth'].map(transaction)
    const few = db
      .readsOf('few')
      .query(sql`select 1`)
      .then(() => begun.push('few'))
    const check = db.checks.query(sql`select 1`).then(() => begun.push('check'))
    await Promise.all([...many, few, check])
    expect(begun.indexOf('check')).toBeLessThan(begun.indexOf('third'))
    expect(begun.indexOf('few')).toBeLessThan(begun.indexOf('fifth'))
  })

  it('answers values as the driver of a PostgreSQL server does', async () => {
    const values = sql`
      select count(*) as n, 9007199254740991::int8 as big, array[1, null]::int8[] as bigs, true as yes, null as none,
        '{"__proto__": {"a": 1}, "b": [1]}'::jsonb as doc, '\\x01ff'::bytea as bytes, array['a', null, 'b"']::text[] as texts,
        '00000000-0000-4000-8000-000000000001'::uuid as id, 1.5::float8 as float, 1.50::numeric as exact`
    const [row] = await db.query<Record<string, unknown>>(values)
    expect(row).toMatchObject({ n: 1, big: 9007199254740991, bigs: [1, null], yes: true, none: null })
    expect(row).toMatchObject({
      texts: ['a', null, 'b"'],
      id: '00000000-0000-4000-8000-000000000001',
      float: 1.5,
      exact: '1.50',
    })
    expect(Object.keys(row?.doc ?? {}).sort()).toEqual(['__proto__', 'b'])
    expect(row?.bytes).toEqual(Buffer.from([1, 255]))
  })

  it('gives back the byte order mark that a text begins with', async () => {
    const [row] = await db.query(sql`select ${'\ufeffid'}::text as text, ${['\ufeff']}::text[] as texts`)
    expect(row).toEqual({ text: '\ufeffid', texts: ['\ufeff'] })
  })

  it('takes every kind of parameter and gives it back', async () => {
    const doc = JSON.parse('{"__proto__": 1, "a": "\\"{}"}')
    const [row] = await db.query(sql`
      select ${'a'}::text as text, ${1}::int as int, ${2 ** 40}::int8 as big, ${true}::bool as bool, ${null}::text as none,
        ${new Uint8Array([0, 255])}::bytea as bytes, ${['a', null, '"\\,{}']}::text[] as texts, ${[1, 2]}::int8[] as bigs,
        ${[true, null]}::bool[] as bools, ${doc}::jsonb as doc, ${json([1, 'a'])}::jsonb as list,
        ${[json([1]), { a: 1 }, null]}::jsonb[] as docs, ${['00000000-0000-4000-8000-000000000001']}::uuid[] as ids`)
    expect(row).toEqual({
      text: 'a',
      int: 1,
      big: 2 ** 40,
      bool: true,
      none: null,
      bytes: Buffer.from([0, 255]),
      texts: ['a', null, '"\\,{}'],
      bigs: [1, 2],
      bools: [true, null],
      doc,
      list: [1, 'a'],
      docs: [[1], { a: 1 }, null],
      ids: ['00000000-0000-4000-8000-000000000001'],
    })
  })

  it('that Postgres refuses fails with its SQLSTATE and constraint, and the next one works', async () => {
    await db.query(sql`insert into note values (1, 'a')`)
    const error = await failure(db.query(sql`insert into note values (1, 'b')`))
    expect(error).toBeInstanceOf(DatabaseError)
    expect(error).toMatchObject({ code: '23505', constraint: 'note_pkey' })
    expect(await failure(db.query(sql`select ${'\0'}::text`))).toMatchObject({ code: '22021' })
    expect(await failure(db.query(sql`selec 1`))).toMatchObject({ code: '42601' })
    expect(await failure(db.query(sql`select ${undefined}`))).toBeInstanceOf(TypeError)
    expect(await db.query(sql`select text from note where id = 1`)).toEqual([{ text: 'a' }])
  })

  it('sees a changed schema, also one that was rolled back', async () => {
    const read = () => db.query(sql`select * from shape`)
    await db.script('create table shape (a int); insert into shape values (1)')
    expect(await read()).toEqual([{ a: 1 }])
    await db.script('alter table shape add column b int')
    expect(await read()).toEqual([{ a: 1, b: null }])
    await failure(
      db.transaction(async (tx) => {
        await tx.query(sql`alter table shape drop column a`)
        expect(await tx.query(sql`select * from shape`)).toEqual([{ b: null }])
        throw new Error('undo')
      }),
    )
    expect(await read()).toEqual([{ a: 1, b: null }])
  })

  it('is remembered prepared, at most so many at a time', async () => {
    for (let n = 0; n < 600; n++) await db.query({ ...sql``, text: `select ${n} as n` } as ReturnType<typeof sql>)
    const [row] = await db.query<{ n: number }>(sql`select count(*) as n from pg_prepared_statements`)
    expect(row?.n).toBeGreaterThan(100)
    expect(row?.n).toBeLessThanOrEqual(500)
  })

  it('leaves the event loop free while it runs', async () => {
    let ticks = 0
    const timer = setInterval(() => ticks++, 5)
    await db.query(sql`select count(*) from generate_series(1, 3000000)`)
    clearInterval(timer)
    // The statement takes hundreds of milliseconds. A blocked event loop would tick once, at its end.
    expect(ticks).toBeGreaterThan(5)
  })

  it('can use vectors', async () => {
    await db.script('create extension if not exists vector')
    expect(await db.query(sql`select ('[1,2]'::vector <-> '[1,4]'::vector) as distance`)).toEqual([{ distance: 2 }])
  })
})

describe('a transaction', () => {
  it('is all or nothing, and its error reaches the caller', async () => {
    const boom = new Error('boom')
    const work = db.transaction(async (tx) => {
      await tx.query(sql`insert into note values (10, 'a')`)
      throw boom
    })
    expect(await failure(work)).toBe(boom)
    expect(await db.query(sql`select from note where id = 10`)).toEqual([])
  })

  it('takes turns with the others, in the order they came', async () => {
    const order: string[] = []
    const one = async (name: string) => {
      await db.transaction(async (tx) => {
        order.push(`${name} begins`)
        await tx.query(sql`select 1`)
        await tx.query(sql`select 2`)
        order.push(`${name} ends`)
      })
    }
    await Promise.all([one('a'), one('b'), db.query(sql`select 1`), one('c')])
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  })

  it('runs again after a serialization failure, five times at most', async () => {
    let tries = 0
    const fail = (times: number) =>
      db.transaction(async (tx) => {
        tries += 1
        if (tries <= times) await tx.query(sql`do $$ begin raise exception using errcode = '40001'; end $$`)
        return tries
      })
    expect(await fail(4)).toBe(5)
    tries = 0
    expect(await failure(fail(5))).toMatchObject({ code: '40001' })
  })

  it('answers each of the statements that are sent together with its own rows, also where one is refused', async () => {
    const note = (id: number, text: string) => sql`insert into note values (${id}::bigint, ${text})`
    const texts = sql`select text from note where id between 40 and 49 order by id`
    const count = sql`select count(*) as n from note where id between 40 and 49`
    const sendAll = (id: number, second: number) =>
      db.transaction((tx) => {
        const sent = [note(id, `of ${id}`), texts, note(second, 'second'), count, sql`select ${id}::bigint as id`]
        return Promise.allSettled(sent.map((statement) => tx.query(statement))).then((outcomes) => {
          const refused = outcomes.filter(({ status }) => status === 'rejected')
          if (refused.length > 0) throw Object.assign(new Error('refused'), { outcomes })
          return outcomes.map((outcome) => outcome.status === 'fulfilled' && outcome.value)
        })
      })
    // From its second run on, a statement is prepared.
    await sendAll(40, 41)
    expect(await sendAll(42, 43)).toEqual([
      [],
      [{ text: 'of 40' }, { text: 'second' }, { text: 'of 42' }],
      [],
      [{ n: 4 }],
      [{ id: 42 }],
    ])
    expect(await failure(sendAll(44, 44))).toMatchObject({
      outcomes: [
        { status: 'fulfilled', value: [] },
        { status: 'fulfilled' },
        { status: 'rejected', reason: { code: '23505', constraint: 'note_pkey' } },
        { status: 'rejected', reason: { code: '25P02' } },
        { status: 'rejected', reason: { code: '25P02' } },
      ],
    })
    expect(await db.query(count)).toEqual([{ n: 4 }])
  })

  it('whose failed statement was ignored does not pass for committed', async () => {
    const work = db.transaction(async (tx) => {
      await tx.query(sql`insert into note values (20, 'a')`)
      await failure(tx.query(sql`select 1 / 0`))
    })
    expect(await failure(work)).toMatchObject({ code: '25P02' })
  })

  it('that goes too long without a statement is rolled back, and the others go on', async () => {
    let late: Promise<unknown> = Promise.resolve()
    let finish = () => {}
    const stuck = db.transaction(async (tx) => {
      await tx.query(sql`insert into note values (30, 'a')`)
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      late = failure(tx.query(sql`insert into note values (31, 'a')`))
    })
    const next = db.query(sql`select from note where id = 30`)
    expect(await failure(stuck)).toMatchObject({ code: '25P03' })
    expect(await next).toEqual([])
    finish()
    await expect.poll(() => late).toBeInstanceOf(Error)
    expect(await db.query(sql`select from note where id = 31`)).toEqual([])
  })

  it('may run a statement for longer than it may be without one', async () => {
    const work = db.transaction((tx) =>
      tx.query<{ n: number }>(sql`select count(*) as n from generate_series(1, 3000000)`),
    )
    expect(await work).toEqual([{ n: 3_000_000 }])
  })
})

describe('notifications', () => {
  it('wake their listeners after the commit, and no others', async () => {
    const woken: string[] = []
    await db.listen('Jobs "due"', () => woken.push('due'))
    await db.listen('other', () => woken.push('other'))
    await failure(
      db.transaction(async (tx) => {
        await tx.query(sql`select pg_notify('other', '')`)
        throw new Error('undo')
      }),
    )
    await db.transaction(async (tx) => {
      await tx.query(sql`select pg_notify('Jobs "due"', '')`)
      expect(woken).toEqual([])
    })
    await expect.poll(() => woken).toEqual(['due'])
  })
})

describe('a closed database', () => {
  it('answers what was asked before, refuses the rest, and can be closed twice', async () => {
    const other = await openEmbedded({ dataDir: 'memory' })
    const before = other.query(sql`select 1 as one`)
    const closing = other.close()
    const after = failure(other.query(sql`select 1`))
    expect(await before).toEqual([{ one: 1 }])
    await closing
    expect(await after).toBeInstanceOf(DatabaseUnavailable)
    expect(await failure(other.transaction(async () => 1))).toBeInstanceOf(DatabaseUnavailable)
    await other.close()
  })
})
