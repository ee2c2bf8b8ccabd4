import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const inBench = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The options of Node in `npm start`, for `fork`. */
export const AS_STARTED = { execArgv: ['--max-semi-space-size=64', '--no-allocation-site-pretenuring'] }

/**
 * Bundles a program of the benchmarks at `path` like the server, so that it measures the code that runs; returns where.
 */
export async function built(path: string): Promise<string> {
  // Beside the built server, where its dependencies and migrations are found.
  const program = inBench(`../server/dist/bench-${path.replace('/', '-')}.js`)
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
