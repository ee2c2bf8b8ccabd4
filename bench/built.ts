import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const inBench = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** What `npm start` tells Node of the server, for `fork`. */
export const AS_STARTED = { execArgv: ['--max-semi-space-size=64', '--no-allocation-site-pretenuring'] }

/** A program of the benchmarks, bundled as the server is, so that what is measured is what runs; answers its path. */
export async function built(name: string): Promise<string> {
  // Beside the built server, where its dependencies and migrations are found.
  const program = inBench(`../server/dist/bench-${name}.js`)
  await build({
    entryPoints: [inBench(`${name}.ts`)],
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
