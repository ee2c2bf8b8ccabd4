import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { DatabaseUnavailable, sql } from './db.ts'
import { openEmbedded } from './embedded.ts'

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 5)
const WRITER = fileURLToPath(new URL('./embedded-kill.writer.ts', import.meta.url))
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

const dataDir = mkdtempSync(join(tmpdir(), 'precedent-kill-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

it(
  `has every acknowledged row, whole, after ${ROUNDS} kills at any moment`,
  async () => {
    const acknowledged: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      // Every third writer is killed around its start, so that recovery itself is interrupted too.
      const patience = round % 3 === 2 ? undefined : Math.ceil(Math.random() * 400)
      acknowledged.push(...(await writeUntilKilled(round * 1_000_000, patience)))
      if (patience === undefined) continue
      const database = await openEmbedded({ dataDir })
      const rows = await database.query<{ id: number }>(sql`select id from note join copy using (id)`)
      const [counts] = await database.query(
        sql`select (select count(*) from note) as notes, (select count(*) from copy) as copies`,
      )
      await database.close()
      const found = new Set(rows.map((row) => row.id))
      expect(acknowledged.filter((id) => !found.has(id))).toEqual([])
      expect(counts).toEqual({ notes: found.size, copies: found.size })
    }
    expect(acknowledged.length).toBeGreaterThan(ROUNDS)
  },
  ROUNDS * 20_000,
)

it('while the disk refuses each write, tells once a minute that it is lost', async () => {
  const warnings: string[] = []
  const folder = join(dataDir, 'full')
  const database = await openEmbedded({ dataDir: folder, log: (warning) => warnings.push(warning) })
  const obstacle = join(folder, 'postgres', 'pg_logical', 'replorigin_checkpoint.tmp')
  mkdirSync(obstacle)
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now')
  onTestFinished(() => clock.mockRestore())
  let ahead = 0
  clock.mockImplementation(() => now() + ahead)
  await database.query(sql`checkpoint`).catch(() => {})
  expect(warnings).toHaveLength(1)
  const again = async () => {
    ahead += 12_000
    await database.query(sql`checkpoint`).catch(() => {})
    return warnings.at(-1)
  }
  const told = /^The embedded database is lost: .* \(\d+ times\)$/
  await expect.poll(again, { interval: 1_000, timeout: 50_000 }).toMatch(told)
  // In each minute what a write says, and what a start says.
  expect(warnings.length).toBeLessThanOrEqual(2 * Math.ceil(ahead / 60_000))
  await database.close()
}, 60_000)

it('starts again by itself after the disk has refused a write, with every acknowledged row', async () => {
  const warnings: string[] = []
  const folder = join(dataDir, 'refused')
  const database = await openEmbedded({ dataDir: folder, log: (warning) => warnings.push(warning) })
  await database.script('create table kept (id int); insert into kept values (1)')
  const woken: string[] = []
  await database.listen('kept', () => woken.push('kept'))
  // A folder where a checkpoint writes a file.
  const obstacle = join(folder, 'postgres', 'pg_logical', 'replorigin_checkpoint.tmp')
  mkdirSync(obstacle)
  const straddling = database.transaction(async (db) => {
    await db.query(sql`insert into kept values (2)`)
    await db.query(sql`checkpoint`).catch(() => {})
    await db.query(sql`insert into kept values (3)`)
  })
  await expect(straddling).rejects.toBeInstanceOf(DatabaseUnavailable)
  expect(warnings).toEqual([expect.stringContaining('is lost: could not')])
  rmdirSync(obstacle)
  const rows = () => database.query(sql`select id from kept`).catch(() => 'lost')
  await expect.poll(rows, { timeout: 20_000 }).toEqual([{ id: 1 }])
  await database.transaction((db) => db.query(sql`insert into kept values (4)`))
  await database.query(sql`select pg_notify('kept', '')`)
  await expect.poll(() => woken).toEqual(['kept'])
  expect(await rows()).toEqual([{ id: 1 }, { id: 4 }])
  await database.close()
  expect(await rows()).toBe('lost')
}, 30_000)

it('is refused to a second process while the first lives', async () => {
  const database = await openEmbedded({ dataDir })
  const second = spawn(process.execPath, ['--import', TSX, WRITER, dataDir], { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  second.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const [code] = await once(second, 'close')
  expect(code).not.toBe(0)
  expect(errors).toMatch(/data directory .* is in use by another process/)
  await database.close()
})

it('is waited for with patience, because the process that has it may be ending', async () => {
  const database = await openEmbedded({ dataDir })
  await database.query(sql`create table left_behind (id int)`)
  const onWait = vi.fn()
  const waiting = openEmbedded({ dataDir, patience: { ms: 30_000, onWait } })
  await expect.poll(() => onWait.mock.calls).toEqual([[]])
  await database.close()
  const next = await waiting
  expect(await next.query(sql`select from left_behind`)).toEqual([])
  await expect(openEmbedded({ dataDir, patience: { ms: 1, onWait } })).rejects.toThrow(
    /in use by another process, and two/,
  )
  await next.close()
})

/**
 * The ids that a writer printed before it was killed: `count` acknowledgements after its first, or during its start.
 */
async function writeUntilKilled(first: number, patience: number | undefined): Promise<number[]> {
  const writer = spawn(process.execPath, ['--import', TSX, WRITER, dataDir, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const acknowledged: number[] = []
  const startup =
    patience === undefined ? setTimeout(() => writer.kill('SIGKILL'), 400 + Math.random() * 800) : undefined
  for await (const line of createInterface({ input: writer.stdout })) {
    acknowledged.push(Number(line))
    if (acknowledged.length === patience) writer.kill('SIGKILL')
  }
  clearTimeout(startup)
  return acknowledged
}
