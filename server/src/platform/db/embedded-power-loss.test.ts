import { cpSync, fstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DurableNodeFS, EIO, type NodeFileOperations } from './embedded-filesystem.ts'
import { createCluster, EmbeddedSession, SessionLost } from './embedded-session.ts'

const IMAGES = Number(process.env.FAULT_ROUNDS ?? 5)

let home = ''
let template = ''
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'precedent-power-loss-'))
  template = join(home, 'template')
  await createCluster(template)
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('the embedded database after a power loss', () => {
  it('has every acknowledged row, at whatever write the power went', async () => {
    const images = await losePower('durable', true)
    expect(images.length).toBe(IMAGES)
    for (const image of images) expect(await surviving(image)).toEqual(image.acknowledged)
  }, 120_000)

  it('would lose rows without its own fsync', async () => {
    const images = await losePower('undurable', false)
    const survived = []
    for (const image of images) {
      const rows = await surviving(image).catch(() => 'does not open')
      if (Array.isArray(rows) && rows.length === image.acknowledged.length) survived.push(image)
    }
    expect(survived.length).toBeLessThan(IMAGES)
  }, 120_000)

  it('is asked for fsync by PostgreSQL, which is not so by default', async () => {
    const session = await EmbeddedSession.open(new DurableNodeFS(template), () => {})
    const read = async (name: string) => (await session.run(`select current_setting('${name}')`, [])).rows[0]?.[0]
    expect([await read('fsync'), await read('wal_sync_method'), await read('full_page_writes')]).toEqual([
      'on',
      'fsync',
      'on',
    ])
    await session.close()
  })

  it('acknowledges nothing when the disk refuses to sync', async () => {
    const folder = join(home, 'failing')
    cpSync(template, folder, { recursive: true })
    const disk = new Disk(folder, true)
    const session = await EmbeddedSession.open(disk, () => {})
    await session.script('create table note (id int primary key)')
    await session.flush()
    disk.failing = true
    await session.run('insert into note values (1)', [])
    await expect(session.flush()).rejects.toThrow(SessionLost)
  })
})

interface Image {
  folder: string
  acknowledged: number[]
}

/** Works on a database and takes images of its disk at several writes, as a power loss would leave it. */
async function losePower(name: string, durable: boolean): Promise<Image[]> {
  const live = join(home, name)
  cpSync(template, live, { recursive: true })
  const disk = new Disk(live, durable)
  const session = await EmbeddedSession.open(disk, () => {})
  await session.script('create table note (id int primary key, text text not null)')
  await session.flush()
  const acknowledged: number[] = []
  const images: Image[] = []
  let id = 0
  disk.onWrite = (count) => {
    if (count < (images.length + 1) * 23 || images.length >= IMAGES || acknowledged.length === 0) return
    const image = { folder: join(home, `${name}-${images.length}`), acknowledged: [...acknowledged] }
    disk.leave(image.folder)
    images.push(image)
  }
  while (images.length < IMAGES) {
    const batch = [id++, id++, id++]
    for (const each of batch) await session.run('insert into note values ($1, $2)', [String(each), 'x'.repeat(500)])
    await session.flush()
    acknowledged.push(...batch)
    if (id % 60 === 0) await session.checkpoint()
  }
  await session.close()
  return images
}

/** The acknowledged rows that a database opened on the image finds, by its table and by its index. */
async function surviving({ folder, acknowledged }: Image): Promise<number[]> {
  const session = await EmbeddedSession.open(new DurableNodeFS(folder), () => {})
  try {
    const inTable = await ids(
      session,
      'enable_indexscan = off; set enable_bitmapscan = off; set enable_indexonlyscan = off',
    )
    const inIndex = await ids(session, 'enable_seqscan = off')
    return acknowledged.filter((id) => inTable.has(id) && inIndex.has(id))
  } finally {
    await session.close()
  }
}

async function ids(session: EmbeddedSession, setting: string): Promise<Set<number>> {
  const { rows } = await session.script(`set ${setting}; select id from note where id >= 0; reset all`)
  return new Set(rows.map(([id]) => Number(id)))
}

/** A file system that remembers the content of each file before the writes that are not synced yet. */
class Disk extends DurableNodeFS {
  failing = false
  onWrite: (count: number) => void = () => {}
  readonly #folder: string
  readonly #durable: boolean
  readonly #unsynced = new Map<number, Buffer>()
  #writes = 0

  constructor(folder: string, durable: boolean) {
    super(folder)
    this.#folder = folder
    this.#durable = durable
  }

  protected override prepare(operations: NodeFileOperations): void {
    if (this.#durable) super.prepare(operations)
    const { write, fsync } = operations.stream_ops
    operations.stream_ops.write = (stream, ...rest) => {
      const { ino } = fstatSync(stream.nfd)
      if (!this.#unsynced.has(ino)) this.#unsynced.set(ino, readFileSync(operations.realPath(stream.node)))
      const written = write(stream, ...rest)
      this.onWrite(++this.#writes)
      return written
    }
    if (!fsync) return
    operations.stream_ops.fsync = (stream) => {
      if (this.failing) return EIO
      this.#unsynced.delete(fstatSync(stream.nfd).ino)
      return fsync(stream)
    }
  }

  /** Copies the disk as a power loss leaves it: of the files not synced, every other one has its old content. */
  leave(folder: string): void {
    cpSync(this.#folder, folder, { recursive: true })
    let turn = 0
    for (const entry of readdirSync(this.#folder, { recursive: true, encoding: 'utf8' })) {
      const old = this.#unsynced.get(statSync(join(this.#folder, entry)).ino)
      if (old && turn++ % 2 === 0) writeFileSync(join(folder, entry), old)
    }
  }
}
