import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.mjs'
import { writeNotices } from './notices.mjs'

const repository = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(`${repository}/cli/package.json`, 'utf8'))

/** True if the packages that the MCP server is made with are installed. */
export const canBuildMcp = () =>
  existsSync(`${repository}/mcp/src`) && existsSync(`${repository}/node_modules/@modelcontextprotocol/sdk`)

/**
 * Bundles the MCP server with the packages that it uses into cli/dist/mcp.js, and their licences beside it. Whoever
 * installs the command line so installs none of them. Returns which of our sources it has read.
 */
export async function buildMcp() {
  const { metafile } = await bundle({
    absWorkingDir: repository,
    entryPoints: ['mcp/src/mcp.ts'],
    outdir: 'cli/dist',
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    // Packages of the old module system ask for Node's modules by `require`.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    define: { VERSION: JSON.stringify(version) },
    legalComments: 'none',
  })
  writeNotices(`${repository}/cli/dist/mcp.licenses.txt`, Object.keys(metafile.inputs))
  return Object.keys(metafile.inputs).filter((path) => !path.includes('node_modules/'))
}
