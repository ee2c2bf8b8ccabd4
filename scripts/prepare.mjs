/**
 * Runs at the end of `npm ci`: builds, and lays out the files of a new embedded database. Without the development
 * packages there is nothing to build with. Then it keeps the build that is there, or fails and says what to do.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

if (existsSync('node_modules/esbuild')) {
  const run = (...args) => execFileSync(process.execPath, args, { stdio: 'inherit' })
  try {
    run('scripts/build.mjs')
    run('server/dist/prepare-cluster.js')
  } catch {
    process.exit(1) // They have said why.
  }
} else if (!existsSync('server/dist/main.js')) {
  process.stderr.write(
    'Nothing is built: the development packages are missing. Run: npm ci --include=dev && npm prune --omit=dev\n',
  )
  process.exit(1)
}
