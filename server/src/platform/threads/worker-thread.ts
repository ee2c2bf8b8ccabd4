import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { type ResourceLimits, Worker } from 'node:worker_threads'

/** Starts the module `name` (no extension) in a worker thread. It lies beside the module with the URL `from`. */
export function startWorkerThread(
  name: string,
  from: string,
  workerData: unknown,
  options: { resourceLimits?: ResourceLimits } = {},
): Worker {
  const file = from.endsWith('.ts') ? compiled(name, from) : new URL(`./${name}.js`, from)
  return new Worker(file, { ...options, workerData })
}

const CACHE = new URL('../../../node_modules/.cache/precedent/', import.meta.url)
const compiledFiles = new Map<string, URL>()

/**
 * The module as a file of JavaScript, for a process that runs from source: in development and tests. It is made once in
 * a process, as a thread that compiles its own modules takes a second more. It lies where the packages that it imports
 * are found, under its name, which no other has, as in the build.
 */
function compiled(name: string, from: string): URL {
  const known = compiledFiles.get(name)
  if (known) return known
  const { buildSync } = createRequire(from)('esbuild') as typeof import('esbuild')
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL(`./${name}.ts`, from))],
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: 'inline',
    write: false,
  })
  const file = new URL(`${name}.js`, CACHE)
  // Others may compile it too.
  const unfinished = new URL(`${name}.${randomUUID()}`, CACHE)
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(unfinished, outputFiles[0]?.contents ?? '')
  renameSync(unfinished, file)
  compiledFiles.set(name, file)
  return file
}
