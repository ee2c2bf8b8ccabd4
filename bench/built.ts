import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const inBench = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The built server. */
export const SERVER = inBench('../server/dist/main.js')

/** The options of Node in `npm start`, for `fork`. */
export const AS_STARTED = { execArgv: ['--max-semi-space-size=64', '--no-allocation-site-pretenuring'] }

/**
 * Bundles a program of the benchmarks at `path` like the server, so that it measures the code that runs; returns where.
 * It fails where the server is not built: without its worker threads the program would wait for them for ever.
 */
export async function built(path: string, server = inBench('../server/dist')): Promise<string> {
  if (!existsSync(`${server}/main.js`)) throw new Error('The server is not built. Build it with: npm run build')
  // Beside the built server, where its dependencies and migrations are found.
  const program = `${server}/bench-${path.replace('/', '-')}.js`
  await build({
    entryPoints: [inBench(`${path}.ts`)],
    outfile: program,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  })
  return program
}
