/** Which sources a build was made from, so that a start can say when they have changed since. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { placeFile } from './place.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const record = join(root, 'server/dist/built-from.json')

/** Records the hashes of the files that a build has read, given by their paths from the root; migrations are added. */
export function recordSources(files) {
  const hashes = Object.fromEntries([...files, ...migrations()].map((file) => [file, hashOf(file)]))
  placeFile(record, `${JSON.stringify(hashes)}\n`)
}

/** The files that the build does not have as they are now; none where the sources are not installed. */
export function changedSources() {
  if (!existsSync(record) || !existsSync(join(root, 'server/src'))) return []
  const hashes = JSON.parse(readFileSync(record, 'utf8'))
  const added = migrations().filter((file) => !(file in hashes))
  // By content: a copy or a checkout changes the times of files.
  return [...Object.keys(hashes).filter((file) => hashOf(file) !== hashes[file]), ...added]
}

function migrations() {
  const folder = 'server/migrations'
  return existsSync(join(root, folder)) ? readdirSync(join(root, folder)).map((file) => `${folder}/${file}`) : []
}

function hashOf(file) {
  const path = join(root, file)
  return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('base64') : undefined
}
