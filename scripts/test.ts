/**
 * `npm test`: builds, then runs every test on the embedded database and those of the service on native PostgreSQL too.
 * Arguments are passed to vitest. The output ends with what was not run, if anything, and the counts.
 */
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { startCluster } from '../server/test/postgres-cluster.ts'
import type { Counts } from './count-reporter.ts'
import { memoryFolder } from './memory-folder.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
// Before anything makes a file. Who names a folder gets that.
process.env.TMPDIR ??= memoryFolder() ?? tmpdir()

const [built, cluster] = await Promise.all([build(), startCluster().catch((error: Error) => error)])
if (!built) {
  if ('stop' in cluster) await cluster.stop()
  process.exit(1)
}

const native = 'url' in cluster
const { counts, succeeded } = await runTests([...process.argv.slice(2), ...(native ? [] : ['--project', 'embedded'])])
if (native) await cluster.stop()

const { passed, failed, skipped } = counts
console.log(native ? `Native PostgreSQL: ${cluster.describe}.` : `\nNOT RUN on native PostgreSQL:\n${cluster.message}`)
console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
process.exit(succeeded && failed === 0 && (native || process.env.CI !== 'true') ? 0 : 1)

async function build(): Promise<boolean> {
  const [code] = await once(spawn(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' }), 'exit')
  return code === 0
}

async function runTests(args: string[]): Promise<{ counts: Counts; succeeded: boolean }> {
  const vitest = fork(
    fileURLToPath(new URL('../vitest.mjs', import.meta.resolve('vitest'))),
    ['run', '--reporter=default', '--reporter=./scripts/count-reporter.ts', ...args],
    {
      cwd: root,
      execArgv: [],
      env: { ...process.env, ...('url' in cluster ? { TEST_DATABASE_URL: cluster.url } : {}) },
    },
  )
  // A run that ends without counts has failed as a whole.
  let counts: Counts = { passed: 0, failed: 1, skipped: 0 }
  vitest.on('message', (message: Counts) => {
    counts = message
  })
  const [code] = await once(vitest, 'close')
  return { counts, succeeded: code === 0 }
}
