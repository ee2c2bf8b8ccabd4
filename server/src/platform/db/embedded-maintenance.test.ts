import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from './db.ts'
import { DurableNodeFS } from './embedded/filesystem.ts'
import { vacuumNext } from './embedded/maintenance.ts'
import { layCluster } from './embedded/prepared-cluster.ts'
import { EmbeddedSession } from './embedded/session.ts'
import { openEmbedded } from './embedded.ts'

const MB = 1024 * 1024

let home = ''
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'precedent-maintenance-'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('the embedded database', () => {
  it('shares one sync of the log among callers', async () => {
    const folder = mkdtempSync(join(home, 'syncs-'))
    await layCluster(folder)
    const disk = new CountingDisk(folder)
    const session = await EmbeddedSession.open(disk, () => {})
    await session.script('create table note (id int)')
    await session.flush()
    disk.syncs = 0
    for (let n = 0; n < 200; n++) await session.run('insert into note values (1)', [])
    expect(disk.syncs).toBe(0)
    expect(session.isDurable).toBe(false)
    await session.flush()
    expect(session.isDurable).toBe(true)
    expect(disk.syncs).toBe(1)
    await session.close()
  })

  it('leaves it to the first statement of a transaction to set the isolation level, whatever it does meanwhile', async () => {
    const session = await EmbeddedSession.open('memory', () => {})
    await session.script('create table note (id int)')
    await session.begin()
    await session.boundLog()
    await session.checkpoint()
    await session.run('set transaction isolation level repeatable read', [])
    await session.run('insert into note values (1)', [])
    await session.boundLog()
    await session.commit()
    expect((await session.run('select id from note', [])).rows).toEqual([['1']])
    await session.close()
  })

  it('keeps its log bounded however much is written', async () => {
    const dataDir = join(home, 'log')
    const database = await openEmbedded({ dataDir })
    await database.script('create table note (text text)')
    const write = sql`insert into note select repeat('x', 1000) from generate_series(1, 4000)`
    let longest = 0
    for (let n = 0; n < 40; n++) {
      await database.query(write)
      longest = Math.max(longest, logSize(dataDir))
    }
    await database.close()
    // 40 × 4 MB were written.
    expect(longest).toBeLessThanOrEqual(80 * MB)
  }, 60_000)

  it('vacuums and analyzes the tables that need it, and no others', async () => {
    const folder = join(home, 'vacuum')
    await layCluster(folder)
    const session = await EmbeddedSession.open(new DurableNodeFS(folder), () => {})
    await session.script('create table "Busy" (id int); create table quiet (id int); insert into quiet values (1)')
    await session.script('insert into "Busy" select generate_series(1, 5000); analyze')
    await session.script('delete from "Busy" where id > 100')
    const done = new Set<string>()
    for (let table = await vacuumNext(session, done); table; table = await vacuumNext(session, done)) done.add(table)
    expect(done).toContain('"Busy"')
    expect(await vacuumNext(session, [])).toBeUndefined()
    const { rows } = await session.run(
      'select relname, n_dead_tup, vacuum_count > 0 from pg_stat_user_tables order by relname',
      [],
    )
    expect(rows).toEqual([
      ['Busy', '0', 't'],
      ['quiet', '0', 'f'],
    ])
    await session.close()
  })
})

class CountingDisk extends DurableNodeFS {
  syncs = 0
  protected override syncFileSoon(nfd: number): Promise<void> {
    this.syncs++
    return super.syncFileSoon(nfd)
  }
  protected override syncFile(nfd: number): void {
    this.syncs++
    super.syncFile(nfd)
  }
}

function logSize(dataDir: string): number {
  const folder = join(dataDir, 'postgres', 'pg_wal')
  return readdirSync(folder)
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
}
