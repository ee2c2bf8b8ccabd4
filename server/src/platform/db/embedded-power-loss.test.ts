import {
  cpSync,
  fstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DurableNodeFS, type NodeFileOperations } from './embedded/filesystem.ts'
import { layCluster } from './embedded/prepared-cluster.ts'
import { EmbeddedSession, SessionLost } from './embedded/session.ts'

const IMAGES = Number(process.env.FAULT_ROUNDS ?? 5)

let home = ''
let template = ''
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'precedent-power-loss-'))
  template = join(home, 'template')
  await layCluster(template)
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

  it('changes no other file before the log that describes the change is on the disk', async () => {
    const folder = join(home, 'ordered')
    cpSync(template, folder, { recursive: true })
    const disk = new Disk(folder, true)
    const session = await EmbeddedSession.open(disk, () => {})
    await session.script(
      "create table note (id int, text text); insert into note select i, repeat('x', 900) from generate_series(1, 9000) i",
    )
    await session.run('update note set id = id + 1', [])
    await session.script('drop table note; create table other (id int)')
    const flushed = session.flush()
    await session.run('insert into other select generate_series(1, 9000)', [])
    await session.script('truncate other')
    await session.checkpoint()
    await flushed
    await session.close()
    expect(disk.changes).toBeGreaterThan(100)
    expect(disk.early).toBe(0)
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
  await session.script(`
    create table note (id int primary key, text text not null);
    create table later (id int primary key, text text not null);
    insert into later select i, repeat('x', 1500) from generate_series(0, 39) i`)
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
    // Work goes on while the log is synced; it is not acknowledged yet.
    const flushed = session.flush()
    await session.run('update later set text = text where id = $1', [String(id % 40)])
    await flushed
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
  /** Changes of files other than the log, and those that came before the log was on the disk. */
  changes = 0
  early = 0
  readonly #folder: string
  readonly #durable: boolean
  readonly #unsynced = new Map<number, Buffer>()
  #writes = 0

  constructor(folder: string, durable: boolean) {
    super(folder)
    this.#folder = folder
    this.#durable = durable
  }

  protected override syncFile(nfd: number): void {
    this.#refuse()
    super.syncFile(nfd)
    this.#markSynced(nfd)
  }

  /** As a disk may: what is written while it syncs is not safe by that. */
  protected override async syncFileSoon(nfd: number): Promise<void> {
    this.#refuse()
    const { ino, size } = fstatSync(nfd)
    const content = Buffer.alloc(size)
    readSync(nfd, content, 0, size, 0)
    await super.syncFileSoon(nfd)
    this.#unsynced.set(ino, content)
  }

  #refuse(): void {
    if (this.failing) throw new Error('The disk fails.')
  }

  #markSynced(nfd: number): void {
    this.#unsynced.delete(fstatSync(nfd).ino)
  }

  protected override prepare(operations: NodeFileOperations): void {
    const { write } = operations.stream_ops
    operations.stream_ops.write = (stream, ...rest) => {
      const { ino } = fstatSync(stream.nfd)
      const path = operations.realPath(stream.node)
      if (!path.includes('/pg_wal/')) this.#change(rest[0].subarray(rest[1], rest[1] + rest[2]))
      if (!this.#unsynced.has(ino)) this.#unsynced.set(ino, readFileSync(path))
      const written = write(stream, ...rest)
      this.onWrite(++this.#writes)
      return written
    }
    const { unlink } = operations.node_ops
    operations.node_ops.unlink = (folder, name) => {
      this.#change()
      unlink(folder, name)
    }
    // Above them, so that they see what reaches the disk.
    if (this.#durable) super.prepare(operations)
    else operations.stream_ops.fsync = () => 0
  }

  #change(bytes?: Uint8Array): void {
    this.changes += 1
    if (bytes?.every((byte) => byte === 0)) return
    if (!this.isSynced) this.early += 1
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
