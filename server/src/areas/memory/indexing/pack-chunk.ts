import { COLUMN_NAMES, type TableRows } from '../lexical/judgment-table.ts'
import type { EncodedTexts } from '../lexical/segment.ts'
import type { PackedStrings } from '../words/stem-bytes.ts'
import type { Chunk } from './chunk.ts'
import type { Form } from './stored-form.ts'

/**
 * The version of the form, of the rules by which texts become stems, and of the tables of frequencies. A chunk of
 * another one is not read. Words depend on the version of Unicode.
 */
export const CHUNK_FORM: Form = { form: 9, unicode: process.versions.unicode ?? '0' }

/** Each part begins at a multiple of this many bytes, so that arrays of numbers can be used where they lie. */
const ALIGNED = 8

/** A part of a chunk as bytes. */
type Part = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array

/**
 * A chunk as bytes: of each part the number of its elements and their size, and the parts. Whole numbers take as few
 * bytes as the largest of them needs. `unpack` reads them on a machine of the same byte order.
 */
export function pack({ rows, stems, review, content }: Chunk): Buffer {
  const strings = ({ text, ends }: PackedStrings) => [text, narrow(ends.map((end, i) => end - (ends[i - 1] ?? 0)))]
  const parts: Part[] = [
    Buffer.from(JSON.stringify(rows.values)),
    rows.keys,
    rows.createdAt,
    ...COLUMN_NAMES.map((name) => narrow(rows.columns[name])),
    ...strings(stems),
    stems.levels,
    ...[review, content].flatMap(({ counts, lengths, trigramNorms, packed }) => [
      narrow(counts),
      narrow(lengths),
      trigramNorms,
      packed,
    ]),
  ]
  const sizes = Uint32Array.from(parts.flatMap(({ length, BYTES_PER_ELEMENT }) => [length, BYTES_PER_ELEMENT]))
  const starts = startsOf(sizes)
  const bytes = Buffer.alloc(starts.at(-1) as number)
  for (const [i, part] of [sizes, ...parts].entries()) {
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), i === 0 ? 0 : starts[i - 1])
  }
  return bytes
}

/**
 * The chunk that was packed. Most of its arrays are views of the bytes. Throws for bytes that are not a chunk.
 */
export function unpack(bytes: Uint8Array): Chunk {
  const { buffer, byteOffset } = bytes.byteOffset % ALIGNED ? bytes.slice() : bytes
  const sizes = new Uint32Array(buffer, byteOffset, 2 * PARTS)
  const starts = startsOf(sizes)
  let part = 0
  const next = <View>(views: Record<number, new (buffer: ArrayBufferLike, at: number, length: number) => View>) => {
    const [length = 0, size = 0] = sizes.subarray(2 * part)
    const View = views[size]
    if (!View) throw new Error(`A part of the chunk has elements of ${size} bytes.`)
    return new View(buffer, byteOffset + (starts[part++] as number), length)
  }
  const bytesOf = () => next({ 1: Uint8Array })
  const numbers = () => {
    const narrowed = next<Uint8Array | Uint16Array | Uint32Array>({ 1: Uint8Array, 2: Uint16Array, 4: Uint32Array })
    return narrowed instanceof Uint32Array ? narrowed : new Uint32Array(narrowed)
  }
  const strings = (): PackedStrings => {
    const text = bytesOf()
    const ends = numbers()
    for (let i = 1; i < ends.length; i++) ends[i] = (ends[i] as number) + (ends[i - 1] as number)
    return { text, ends }
  }
  const texts = (): EncodedTexts => ({
    counts: numbers(),
    lengths: numbers(),
    trigramNorms: next({ 4: Float32Array }),
    packed: bytesOf(),
  })
  const values = JSON.parse(Buffer.from(bytesOf()).toString()) as (string | null)[]
  const keys = next({ 4: Uint32Array })
  const createdAt = next({ 8: Float64Array })
  const columns = Object.fromEntries(COLUMN_NAMES.map((name) => [name, numbers()])) as TableRows['columns']
  const stems = { ...strings(), levels: bytesOf() }
  if (stems.levels.length !== stems.ends.length) throw new Error('The chunk has not one level for each stem.')
  return { rows: { keys, createdAt, values, columns }, stems, review: texts(), content: texts() }
}

/** Values, keys, times and levels; two parts of stems; the columns; four parts of each of two fields. */
const PARTS = 6 + COLUMN_NAMES.length + 8

/** Where each part begins, and where the last one ends. */
function startsOf(sizes: Uint32Array): number[] {
  const starts = [aligned(sizes.byteLength)]
  for (let i = 0; i < sizes.length; i += 2) {
    starts.push(aligned((starts.at(-1) as number) + (sizes[i] as number) * (sizes[i + 1] as number)))
  }
  return starts
}

const aligned = (at: number) => Math.ceil(at / ALIGNED) * ALIGNED

/** The numbers in as few bytes each as the largest of them needs. */
function narrow(numbers: Uint32Array): Uint8Array | Uint16Array | Uint32Array {
  const most = numbers.reduce((max, number) => Math.max(max, number), 0)
  if (most < 2 ** 8) return new Uint8Array(numbers)
  return most < 2 ** 16 ? new Uint16Array(numbers) : numbers
}
