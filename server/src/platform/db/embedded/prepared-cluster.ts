import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'

/** The files of a new PostgreSQL cluster as a gzipped tarball: those of a prepared cluster, or of an empty one. */
export async function clusterFiles(prepared?: string): Promise<Blob> {
  return prepared === undefined ? emptyCluster() : new Blob([await readFile(prepared)], { type: 'application/gzip' })
}

/**
 * Making a cluster takes seconds. So the first is cached in node_modules/.cache, if that is writable, under the version
 * of PGlite that made it.
 */
async function emptyCluster(): Promise<Blob> {
  const file = await cachedCluster('empty')
  const cached = await readFile(file).catch(() => undefined)
  if (cached) return new Blob([cached], { type: 'application/gzip' })
  const made = await makeCluster()
  await keepCluster(file, made).catch(() => {})
  return made
}

/** Lays a new cluster into a folder, file by file: a PostgreSQL that did it would take memory and a second. */
export async function layCluster(folder: string, prepared?: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const tarball = gunzipSync(await (await clusterFiles(prepared)).arrayBuffer())
  for (const { path, content } of readTar(tarball)) {
    if (content) await writeFile(join(folder, path), content)
    else await mkdir(join(folder, path))
  }
}

const TAR_BLOCK = 512

/** The entries of a tar file, each folder before what is in it; a folder has no content. */
function* readTar(tar: Buffer): Generator<{ path: string; content: Buffer | undefined }> {
  for (let at = 0; tar[at]; ) {
    const field = (from: number, to: number) => tar.toString('latin1', at + from, at + to).replace(/\0.*$/s, '')
    const [path, size, type] = [field(0, 100), Number.parseInt(field(124, 136), 8), field(156, 157)]
    if (field(345, 500) || !['', '0', '5'].includes(type)) throw new Error(`Cannot unpack ${path} of a cluster.`)
    const start = at + TAR_BLOCK
    yield { path, content: type === '5' ? undefined : tar.subarray(start, start + size) }
    at = start + Math.ceil(size / TAR_BLOCK) * TAR_BLOCK
  }
}

/** A cluster that no process has open, as a gzipped tarball. */
export async function dumpCluster(folder: string): Promise<Blob> {
  const pglite = await PGlite.create(folder)
  try {
    return await pglite.dumpDataDir('gzip')
  } finally {
    await pglite.close()
  }
}

/** The file in the cache for a cluster with this content. */
export async function cachedCluster(content: string): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const home = join(dirname(entry), '..')
  const { version }: { version: string } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'))
  return join(home, '../../.cache/precedent', `postgres-cluster-1-pglite-${version}-${content}.tar.gz`)
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

/** Puts a cluster into the cache, whole or not at all. */
export async function keepCluster(file: string, cluster: Blob): Promise<void> {
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
