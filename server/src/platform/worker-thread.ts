import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'

/** Starts the module `name` (without its ending), which lies beside the module at the URL `from`, in a thread of its own. */
export function startWorkerThread(name: string, from: string, workerData: unknown): Worker {
  if (!from.endsWith('.ts')) return new Worker(new URL(`./${name}.js`, from), { workerData })
  // From source, in development and tests: the thread has to load its own TypeScript compiler first.
  const compiler = new URL('./index.mjs', pathToFileURL(createRequire(from).resolve('tsx/esm/api'))).href
  const source = new URL(`./${name}.ts`, from).href
  const load = `import('${compiler}').then(({ register }) => { register(); return import('${source}') })`
  return new Worker(load, { eval: true, workerData })
}
