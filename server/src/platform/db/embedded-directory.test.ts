import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from './db.ts'
import { openDataDirectory, POSTGRES_MAJOR } from './embedded/data-directory.ts'
import { lock } from './embedded/directory-lock.ts'
import { openEmbedded } from './embedded.ts'

let home = ''
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'precedent-directory-'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const create = async (folder: string) => writeFileSync(join(folder, 'PG_VERSION'), `${POSTGRES_MAJOR}\n`)

describe('a data directory', () => {
  it('keeps its rows, for its owner alone, under the PostgreSQL version that is recorded', async () => {
    const dataDir = join(home, 'new', 'data')
    const first = await openEmbedded({ dataDir })
    await first.script('create table note (id int); insert into note values (1)')
    const [version] = await first.query<{ major: number }>(
      sql`select current_setting('server_version_num')::int / 10000 as major`,
    )
    expect(version?.major).toBe(POSTGRES_MAJOR)
    await first.close()
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(JSON.parse(readFileSync(join(dataDir, 'version.json'), 'utf8'))).toEqual({ postgres: POSTGRES_MAJOR })
    const second = await openEmbedded({ dataDir })
    expect(await second.query(sql`select id from note`)).toEqual([{ id: 1 }])
    await second.close()
  })

  it('keeps its mode if it existed before, and its cluster is closed to others, however it was copied there', async () => {
    const path = join(home, 'open')
    mkdirSync(path)
    // As a directory that other programs use too.
    chmodSync(path, 0o1777)
    for (let start = 1; start <= 2; start++) {
      const { cluster, release } = await openDataDirectory(path, create)
      expect(statSync(path).mode & 0o7777).toBe(0o1777)
      expect(statSync(cluster).mode & 0o777).toBe(0o700)
      await release()
      chmodSync(cluster, 0o755)
    }
  })

  it('keeps folders of others, whatever their names', async () => {
    const path = join(home, 'shared')
    for (const name of ['snapshot', 'snapshots', 'snapshot-abcdef']) mkdirSync(join(path, name), { recursive: true })
    await (await openDataDirectory(path, create)).release()
    expect(readdirSync(path)).toEqual(expect.arrayContaining(['snapshot', 'snapshots', 'snapshot-abcdef']))
  })

  it('whose folder postgres is of something else is refused, by the name of that folder', async () => {
    const path = join(home, 'foreign')
    mkdirSync(join(path, 'postgres'), { recursive: true, mode: 0o755 })
    await expect(openDataDirectory(path, create)).rejects.toThrow(
      `DATA_DIR: the folder ${path}/postgres holds no database. Move it away, or set DATA_DIR to another directory.`,
    )
    expect(readdirSync(path)).toEqual(['postgres'])
  })

  it('is created with those above it, for its owner alone', async () => {
    const path = join(home, 'above', 'below')
    const { release } = await openDataDirectory(path, create)
    for (const each of [path, join(home, 'above')]) expect(statSync(each).mode & 0o777).toBe(0o700)
    await release()
  })

  it('is refused at once where a file stands in its way, or the system makes no directories', async () => {
    const file = join(home, 'file')
    writeFileSync(file, '')
    await expect(openDataDirectory(file, create)).rejects.toThrow('EEXIST')
    await expect(openDataDirectory(join(file, 'data'), create)).rejects.toThrow('ENOTDIR')
    if (process.platform === 'linux') {
      await expect(openDataDirectory('/proc/precedent/data', create)).rejects.toThrow(
        "ENOENT: no such file or directory, mkdir '/proc/precedent'",
      )
    }
  })

  it.each([
    ['by its record', 'version.json', '{"postgres":17}'],
    ['by the files of PostgreSQL when the record is missing', 'postgres/PG_VERSION', '17\n'],
  ])('of another PostgreSQL is refused %s, unchanged and unlocked', async (_, file, content) => {
    const path = join(home, file.replace('/', '-'))
    const { release, cluster } = await openDataDirectory(path, create)
    await release()
    rmSync(join(path, 'version.json'))
    writeFileSync(join(path, file), content)
    const before = readFileSync(join(cluster, 'PG_VERSION'))
    await expect(openDataDirectory(path, create)).rejects.toThrow(
      /written by PostgreSQL 17.*needs PostgreSQL 18.*backup.*restore/s,
    )
    expect(readFileSync(join(cluster, 'PG_VERSION'))).toEqual(before)
    await (await lock(path))()
  })

  it('whose creation was cut short is created anew', async () => {
    const path = join(home, 'cut')
    const cutShort = openDataDirectory(path, async (folder) => {
      await create(folder)
      throw new Error('cut short')
    })
    await expect(cutShort).rejects.toThrow('cut short')
    expect(existsSync(join(path, 'postgres'))).toBe(false)
    const { cluster, release } = await openDataDirectory(path, create)
    expect(existsSync(join(cluster, 'PG_VERSION'))).toBe(true)
    await release()
  })
})

describe.each(['linux', 'darwin'])('the lock of a directory on %s', (platform) => {
  it('is held once, by whatever path, until it is released', async () => {
    const path = join(home, `lock-${platform}`)
    mkdirSync(path)
    symlinkSync(path, `${path}-link`)
    const unlock = await lock(path, undefined, platform)
    await expect(lock(path, undefined, platform)).rejects.toThrow(/in use by another process/)
    await expect(lock(`${path}-link`, undefined, platform)).rejects.toThrow(/in use by another process/)
    await unlock()
    await (await lock(`${path}-link`, undefined, platform))()
  })
})

describe.runIf(process.platform === 'linux')('the socket in a directory', () => {
  /** Listens there as a process of another container does. */
  const listen = async (path: string) => {
    const server = createServer().listen(path)
    await once(server, 'listening')
    return server
  }

  it('keeps out a process of another container, until it ends', async () => {
    const path = join(home, 'container')
    mkdirSync(path)
    const other = await listen(join(path, 'lock-other.socket'))
    await expect(lock(path)).rejects.toThrow(/in use by another process/)
    other.close()
    const unlock = await lock(path)
    const [own = ''] = readdirSync(path)
    const socket = createConnection(join(path, own))
    await once(socket, 'connect')
    socket.destroy()
    await unlock()
    expect(readdirSync(path)).toEqual([])
  })

  it('of a process that is gone is deleted, in a directory with a long path', async () => {
    const path = join(home, 'long'.repeat(30))
    mkdirSync(path)
    const other = await listen(join(home, 'gone.socket'))
    renameSync(join(home, 'gone.socket'), join(path, 'lock-gone.socket'))
    other.close()
    const unlock = await lock(path)
    expect(readdirSync(path)).toEqual([expect.not.stringContaining('gone')])
    await unlock()
  })

  // Root may write anywhere.
  it.skipIf(process.getuid?.() === 0)(
    'that may not be asked is named with its owner, and nothing is left',
    async () => {
      const path = join(home, 'closed')
      mkdirSync(path)
      const file = join(path, 'lock-closed.socket')
      const other = await listen(file)
      chmodSync(file, 0)
      await expect(lock(path)).rejects.toThrow(
        `DATA_DIR: ${file} belongs to the user ${process.getuid?.()}, and this user`,
      )
      expect(readdirSync(path)).toEqual(['lock-closed.socket'])
      other.close()
      await (await lock(path))()
    },
  )
})

describe('the pid file', () => {
  it('of a process that is gone is replaced', async () => {
    const path = join(home, 'stale')
    mkdirSync(path)
    // Larger than any process id.
    writeFileSync(join(path, 'lock'), String(2 ** 30))
    const unlock = await lock(path, undefined, 'darwin')
    expect(readFileSync(join(path, 'lock'), 'utf8')).toBe(String(process.pid))
    await unlock()
    expect(existsSync(join(path, 'lock'))).toBe(false)
  })
})

describe('a database that cannot be made or started', () => {
  it('is named with its directory and DATA_DIR', async () => {
    const dataDir = join(home, 'broken')
    const prepared = async () => join(home, 'no-such-file')
    await expect(openEmbedded({ dataDir, prepared })).rejects.toThrow(
      `DATA_DIR: ${dataDir}: The database could not be created. ENOENT`,
    )
    await (await openDataDirectory(dataDir, create)).release()
    await expect(openEmbedded({ dataDir })).rejects.toThrow(`DATA_DIR: ${dataDir}: PostgreSQL did not start.`)
  })
})
