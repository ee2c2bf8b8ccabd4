import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { sql } from './db.ts'
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
