/**
 * Loaded into a server by `--import`: a first start waits with the rest of its example until it gets SIGCONT, and
 * writes that it does.
 */
import { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const REST = 'async function completeExample(app, tenant) {'

/** A hook of Node: changes the sources of modules. */
export async function load(url, context, next) {
  const loaded = await next(url, context)
  const source = loaded.format === 'module' ? String(loaded.source) : ''
  return source.includes(REST)
    ? { ...loaded, source: source.replace(REST, `${REST} await globalThis.held();`) }
    : loaded
}

// Hooks run in a thread of their own.
if (isMainThread) {
  const goesOn = new Promise((resolve) => process.once('SIGCONT', resolve))
  globalThis.held = () => {
    process.stderr.write('The example is held.\n')
    return goesOn
  }
  register(import.meta.url)
}
