import type { Chunk } from './chunk.ts'
import { COLUMN_NAMES, type TableRows } from './judgment-table.ts'
import type { EncodedTexts } from './segment.ts'

/**
 * The version of the form and of the rules by which texts become stems. A chunk of another one is not read. Words depend
 * on the version of Unicode.
 */
export const CHUNK_FORM = `2/${process.versions.unicode}`

/** Each part begins at a multiple of this many bytes, so that arrays of numbers can be used where they lie. */
const ALIGNED = 8

/** A chunk as bytes: the sizes of its parts, and the parts. `unpack` reads them on a machine of the same byte order. */
export function pack({ rows, stems, review, content }: Chunk): Buffer {
  const parts = [
    Buffer.from(JSON.stringify(rows.values)),
    // Ids hold no line break.
    Buffer.from(rows.recordIds.join('\n')),
    rows.createdAt,
    ...COLUMN_NAMES.map((name) => rows.columns[name]),
    stems.text,
    stems.ends,
    ...[review, content].flatMap(({ counts, lengths, trigramNorms, packed }) => [
      counts,
      lengths,
      trigramNorms,
      packed,
    ]),
  ]
  const sizes = Uint32Array.from(parts, ({ byteLength }) => byteLength)
  const starts = startsOf(sizes)
  const bytes = Buffer.alloc(starts.at(-1) as number)
  for (const [i, part] of [sizes, ...parts].entries()) {
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), i === 0 ? 0 : starts[i - 1])
  }
  return bytes
}

/** The chunk that was packed. Its arrays are views of the bytes. Throws for bytes that are not a chunk. */
export function unpack(bytes: Uint8Array): Chunk {
  const { buffer, byteOffset } = bytes.byteOffset % ALIGNED ? bytes.slice() : bytes
  const sizes = new Uint32Array(buffer, byteOffset, PARTS)
  const starts = startsOf(sizes)
  let part = 0
  const next = <View>(view: new (buffer: ArrayBufferLike, at: number, length: number) => View, elementSize: number) => {
    const at = byteOffset + (starts[part] as number)
    return new view(buffer, at, (sizes[part++] as number) / elementSize)
  }
  const text = () => Buffer.from(next(Uint8Array, 1)).toString()
  const numbers = () => next(Uint32Array, 4)
  const texts = (): EncodedTexts => ({
    counts: numbers(),
    lengths: numbers(),
    trigramNorms: next(Float32Array, 4),
    packed: next(Uint8Array, 1),
  })
  const values = JSON.parse(text()) as (string | null)[]
  const recordIds = text().split('\n')
  const createdAt = next(Float64Array, 8)
  const columns = Object.fromEntries(COLUMN_NAMES.map((name) => [name, numbers()])) as TableRows['columns']
  const stems = { text: next(Uint8Array, 1), ends: numbers() }
  return { rows: { recordIds, createdAt, values, columns }, stems, review: texts(), content: texts() }
}

/** Values, ids, times, the columns, stems and their ends; four parts of each of two fields. */
const PARTS = 5 + COLUMN_NAMES.length + 8

/** Where each part begins, and where the last one ends. */
function startsOf(sizes: Uint32Array): number[] {
  const starts = [aligned(PARTS * 4)]
  for (const size of sizes) starts.push(aligned((starts.at(-1) as number) + size))
  return starts
}

const aligned = (at: number) => Math.ceil(at / ALIGNED) * ALIGNED
