import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { type ResourceLimits, Worker } from 'node:worker_threads'

/** Starts the module `name` (no extension) in a worker thread. It lies beside the module with the URL `from`. */
export function startWorkerThread(
  name: string,
  from: string,
  workerData: unknown,
  options: { resourceLimits?: ResourceLimits } = {},
): Worker {
  if (!from.endsWith('.ts')) return new Worker(new URL(`./${name}.js`, from), { ...options, workerData })
  // From source, in development and tests: the thread must load its own TypeScript compiler first.
  const compiler = new URL('./index.mjs', pathToFileURL(createRequire(from).resolve('tsx/esm/api'))).href
  const source = new URL(`./${name}.ts`, from).href
  const load = `import('${compiler}').then(({ register }) => { register(); return import('${source}') })`
  return new Worker(load, { ...options, eval: true, workerData })
}
