import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const inBench = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** What `npm start` tells Node of the server, for `fork`. */
export const AS_STARTED = { execArgv: ['--max-semi-space-size=64', '--no-allocation-site-pretenuring'] }

/** A program of the benchmarks, bundled as the server is, so that what is measured is what runs; at `path` from here; answers where. */
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
