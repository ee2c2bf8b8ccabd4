/**
 * Bundles the server into server/dist: its processes and commands side by side, its migrations and models with them.
 * Bundles the command line into cli/dist and, where their packages are installed, the MCP server beside it and the
 * console into server/dist/console. Records which sources it has read.
 */
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildConsole, canBuildConsole } from './build-console.mjs'
import { buildMcp, canBuildMcp } from './build-mcp.mjs'
import { bundle } from './bundle.mjs'
import { writeNotices } from './notices.mjs'
import { placeFile, placeFolder, removeFrom } from './place.mjs'
import { recordSources } from './sources.mjs'

const server = fileURLToPath(new URL('../server', import.meta.url))
process.chdir(server)

const processes = [
  'src/commands/credentials.ts',
  'src/commands/doctor.ts',
  'src/commands/evaluate.ts',
  'src/commands/migrate.ts',
  'src/commands/operator.ts',
  'src/areas/knowledge/reading/knowledge-reader.ts',
  'src/areas/memory/indexing/text-thread.ts',
  'src/main.ts',
  'src/platform/db/embedded/embedded-worker.ts',
  'src/platform/embedder/onnx-worker.ts',
  'src/commands/prepare-cluster.ts',
  'src/commands/restore.ts',
  'src/commands/rotate-secrets.ts',
  'src/commands/rotate-signing-key.ts',
  'src/commands/running-server.ts',
  'src/commands/transfer.ts',
]

/** Packages of so many files that to find and read each would take much of a start. */
const BUNDLED = ['jose', 'typebox']
/** Packages that not every installation has. */
const OPTIONAL = ['@huggingface/tokenizers', '@opentelemetry/*', 'onnxruntime-web']
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

const options = {
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: true,
  // The sources are in the same tree.
  sourcesContent: false,
}

const ofServer = await bundle({
  ...options,
  absWorkingDir: server,
  external: Object.keys(dependencies)
    .filter((name) => !BUNDLED.includes(name))
    .concat(OPTIONAL),
  entryPoints: Object.fromEntries(
    processes.filter((file) => existsSync(file)).map((file) => [file.slice(file.lastIndexOf('/') + 1, -3), file]),
  ),
  outdir: 'dist',
  // The programs share their parts. These lie beside them, because some look for files from their own place.
  splitting: true,
  chunkNames: 'part-[hash]',
})
// A process that runs has read its own parts.
removeFrom('dist', (name) => name.startsWith('part-') && !(`dist/${name}` in ofServer.metafile.outputs))
writeNotices('dist/licenses.txt', inputsOf(ofServer, 'server'))

const sources = sourcesOf(ofServer, 'server')

const cli = fileURLToPath(new URL('../cli', import.meta.url))
// An installation of the server alone has no command line.
if (existsSync(`${cli}/src`)) {
  const { version } = JSON.parse(readFileSync(`${cli}/package.json`, 'utf8'))
  const ofCli = await bundle({
    ...options,
    absWorkingDir: cli,
    packages: 'external',
    entryPoints: ['src/precedent.ts'],
    outdir: 'dist',
    define: { VERSION: JSON.stringify(version) },
  })
  sources.push(...sourcesOf(ofCli, 'cli'))
  if (canBuildMcp()) sources.push(...(await buildMcp()))
}

if (canBuildConsole()) sources.push(...(await buildConsole()))

// The one script of the viewer's package that the API reference loads.
const viewer = fileURLToPath(
  new URL('../node_modules/@scalar/fastify-api-reference/dist/js/standalone.js', import.meta.url),
)
if (existsSync(viewer)) placeFile('dist/reference-viewer.js', readFileSync(viewer))

// In place, not from scratch: a server or a test run that uses the directory is not pulled out from under its feet.
placeFolder('migrations', 'dist/migrations')
placeFolder('models', 'dist/models')
recordSources(new Set(sources))

/** Our files that a build has read, by their paths from the root. Packages change by an installation, which builds. */
function sourcesOf(built, folder) {
  return inputsOf(built, folder).filter((file) => !file.includes('node_modules/'))
}

/** All files that a build has read, by their paths from the root. */
function inputsOf({ metafile }, folder) {
  return Object.keys(metafile.inputs).map((file) => posix.join(folder, file))
}
