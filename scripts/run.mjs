/**
 * Runs a built program in this process: `node scripts/run.mjs <path of the program> [arguments]`. It builds nothing and
 * writes nothing, so it works without the compiler and in a tree that cannot be written. It says when the sources have
 * changed since the build.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { changedSources } from './sources.mjs'

const [program = ''] = process.argv.slice(2)
const path = resolve(program)
if (!existsSync(path)) {
  process.stderr.write(`${program} is not built. Install its packages and build it with: npm ci\n`)
  process.exit(1)
}

const [changed, ...others] = changedSources()
if (changed !== undefined) {
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  process.stderr.write(
    `The sources have changed since the build (${changed}${more}); this runs the build. To build again: npm run build\n`,
  )
}

// The program sees its own path and arguments, as if it were started without this one.
process.argv.splice(1, 2, path)
await import(pathToFileURL(path).href)
