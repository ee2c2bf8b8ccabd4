/** Bundles the console: one page, one style sheet, and a chunk for each page, under names that hold their hashes. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.mjs'
import { placeFile, removeFrom } from './place.mjs'

const repository = fileURLToPath(new URL('..', import.meta.url))
const folder = join(repository, 'console')
const out = join(repository, 'server/dist/console')

/** True if the packages that the console is made with are installed. */
export const canBuildConsole = () =>
  existsSync(join(folder, 'src')) && existsSync(join(repository, 'node_modules/react'))

/**
 * Builds the console into server/dist/console. Returns which of our sources it has read, by their paths from the root.
 */
export async function buildConsole() {
  const result = await bundle({
    absWorkingDir: folder,
    entryPoints: ['src/main.tsx'],
    outdir: out,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
  })
  placeFile(join(out, 'index.html'), indexOf(result))
  // Last, so that a page which is being loaded finds the files that its index.html names for as long as possible.
  const kept = new Set(['index.html', ...result.outputFiles.map(({ path }) => basename(path))])
  removeFrom(out, (name) => !kept.has(name))
  const read = Object.keys(result.metafile.inputs).map((path) => posix.join('console', path))
  return read.filter((path) => !path.includes('node_modules/'))
}

/** The page, with the names of the script, of the chunks that it imports at once, and of the style sheet. */
function indexOf({ metafile: { outputs } }) {
  const [path, entry] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === 'src/main.tsx')
  const preloads = importsOf(outputs, path).map((each) => `<link rel="modulepreload" href="./${basename(each)}">`)
  return readFileSync(join(folder, 'src/index.html'), 'utf8').replace(
    '<!-- built -->',
    [
      `<link rel="stylesheet" href="./${basename(entry.cssBundle)}">`,
      ...preloads,
      `<script type="module" src="./${basename(path)}"></script>`,
    ].join('\n    '),
  )
}

/** The chunks that a file loads at once, not when a page is opened. */
function importsOf(outputs, path, seen = new Set()) {
  for (const { path: next, kind } of outputs[path].imports) {
    if (kind !== 'import-statement' || seen.has(next)) continue
    seen.add(next)
    importsOf(outputs, next, seen)
  }
  return [...seen]
}
