import { promisify } from 'node:util'
import { constants, deflateRaw, inflateRaw } from 'node:zlib'
import type { Chunk } from './chunk.ts'
import type { EncodedTexts } from './segment.ts'

/**
 * The version of the form and of the rules by which texts become stems. A chunk of another one is not read. Words depend
 * on the version of Unicode.
 */
export const CHUNK_FORM = `1/${process.versions.unicode}`

/** The columns of a row that repeat: stored as places in a list of values. */
const REPEATED = ['organization', 'document', 'decision', 'judgeType', 'contentType', 'reviewerId'] as const
type Reader = (row: number) => string | null
type Readers = [Reader, Reader, Reader, Reader, Reader, Reader]
/** Lists of values, keys, stems, times; the repeated columns; four arrays of each of two fields. */
const PARTS = 4 + REPEATED.length + 8
/** More than any chunk takes: 16 MiB of entries, and their stems. */
const MAX_BYTES = 512 * 1024 * 1024

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** A chunk as compressed bytes (RFC 1951). `unpack` reads them on a machine of the same byte order. */
export async function pack({ rows, stems, review, content }: Chunk): Promise<Buffer> {
  const values: (string | null)[] = []
  const places = new Map<string | null, number>()
  const placeOf = (value: string | null) => {
    const place = places.get(value) ?? values.push(value) - 1
    places.set(value, place)
    return place
  }
  const columns = REPEATED.map((name) => Uint32Array.from(rows, (row) => placeOf(row[name])))
  const texts = [JSON.stringify(values), lines(rows.map(({ key }) => key)), lines(stems)]
  const arrays = [
    Float64Array.from(rows, ({ createdAt }) => createdAt),
    ...columns,
    ...[review, content].flatMap(partsOf),
  ]
  const parts = [...texts.map((text) => Buffer.from(text)), ...arrays.map(bytesOf)]
  const sizes = Uint32Array.from(parts, ({ length }) => length)
  return deflate(Buffer.concat([bytesOf(sizes), ...parts]), { level: constants.Z_BEST_SPEED })
}

/** The chunk that was packed. Throws for bytes that are not a chunk. */
export async function unpack(packed: Uint8Array): Promise<Chunk> {
  const parts = partsIn(await inflate(packed, { maxOutputLength: MAX_BYTES }))
  const text = (part: number) => Buffer.from(parts[part] as ArrayBuffer).toString()
  const numbers = (part: number) => new Uint32Array(parts[part] as ArrayBuffer)
  const field = (first: number): EncodedTexts => ({
    starts: numbers(first),
    entries: numbers(first + 1),
    lengths: numbers(first + 2),
    trigramNorms: new Float32Array(parts[first + 3] as ArrayBuffer),
  })
  const values = JSON.parse(text(0)) as (string | null)[]
  const times = new Float64Array(parts[3] as ArrayBuffer)
  const [organization, document, decision, judgeType, contentType, reviewerId] = REPEATED.map((_, i) => {
    const places = numbers(4 + i)
    return (row: number) => values[places[row] as number] ?? null
  }) as Readers
  const rows = linesOf(text(1)).map((key, row) => ({
    key,
    organization: organization(row),
    document: document(row),
    decision: decision(row) ?? '',
    judgeType: judgeType(row) ?? '',
    contentType: contentType(row),
    reviewerId: reviewerId(row),
    createdAt: times[row] as number,
  }))
  return { rows, stems: linesOf(text(2)), review: field(PARTS - 8), content: field(PARTS - 4) }
}

const partsOf = ({ starts, entries, lengths, trigramNorms }: EncodedTexts) => [starts, entries, lengths, trigramNorms]

/** Copies, because arrays of numbers begin at multiples of their size. */
function partsIn(bytes: Buffer): ArrayBuffer[] {
  const copy = (from: number, to: number) => new Uint8Array(bytes.subarray(from, to)).buffer
  let at = PARTS * 4
  return [...new Uint32Array(copy(0, at))].map((size) => {
    at += size
    return copy(at - size, at)
  })
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array | Float32Array | Float64Array) =>
  Buffer.from(buffer, byteOffset, byteLength)

/** Keys and stems hold no line break. */
const lines = (texts: string[]) => texts.join('\n')
const linesOf = (text: string) => (text === '' ? [] : text.split('\n'))
