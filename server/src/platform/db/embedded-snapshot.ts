import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'

/**
 * A fresh PostgreSQL cluster as a gzipped tarball. Making one takes seconds. So the first is cached in
 * node_modules/.cache, if that is writable, under the version of PGlite that made it.
 */
export async function freshCluster(): Promise<Blob> {
  const file = await cacheFile()
  const cached = await readFile(file).catch(() => undefined)
  if (cached) return new Blob([cached], { type: 'application/gzip' })
  const made = await makeCluster()
  await keep(file, made).catch(() => {})
  return made
}

async function cacheFile(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const home = join(dirname(entry), '..')
  const { version }: { version: string } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'))
  return join(home, '../../.cache/precedent', `postgres-cluster-1-pglite-${version}.tar.gz`)
}

async function makeCluster(): Promise<Blob> {
  const pglite = await PGlite.create()
  try {
    // Nothing ever vacuums these two, and their age would stop all writes after two billion transactions.
    for (const template of ['template1', 'template0']) {
      await pglite.exec(`alter database ${template} is_template false`)
      await pglite.exec(`drop database ${template}`)
    }
    await pglite.exec('checkpoint')
    return await pglite.dumpDataDir('gzip')
  } finally {
    await pglite.close()
  }
}

async function keep(file: string, cluster: Blob): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`
  await mkdir(dirname(file), { recursive: true })
  try {
    const handle = await open(unfinished, 'wx')
    try {
      await handle.writeFile(Buffer.from(await cluster.arrayBuffer()))
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(unfinished, file)
  } finally {
    await rm(unfinished, { force: true })
  }
}
