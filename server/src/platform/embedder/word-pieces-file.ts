/** A piece of words: a word, or a part of one. `▁` stands for the beginning of a word. */
export interface Piece {
  text: string
  /** The logarithm of how often it occurs. */
  score: number
  /** How much it counts in a text, between 0 and 1: the rarer, the more. */
  weight: number
  vector: Float64Array
}

/** All pieces, as they lie in the file. */
export interface WordPieces {
  texts: string[]
  scores: Float32Array
  /** By piece: what its elements are multiplied by. Contains its weight. */
  scales: Float32Array
  /** The elements of all vectors, piece by piece. */
  elements: Int8Array
  dimensions: number
}

/** The first bytes of the file: what it is, and the version of its format. */
const MAGIC = 'WPV1'
const HEADER = 16
const LARGEST = 127

/**
 * The file of pieces. Header: `WPV1`, then the number of pieces, the dimensions and the bytes of the texts, each as a
 * 32-bit number. Then the texts, separated by line feeds and padded to four bytes; scores and scales as 32-bit floats;
 * the elements as signed bytes. Numbers are little-endian.
 */
export function wordPiecesFile(pieces: Piece[], dimensions: number): Buffer {
  const texts = Buffer.from(pieces.map(({ text }) => text).join('\n'))
  const [scores, elements] = [startOfScores(texts.length), startOfElements(texts.length, pieces.length)]
  const file = Buffer.alloc(elements + pieces.length * dimensions)
  file.write(MAGIC, 'latin1')
  for (const [i, value] of [pieces.length, dimensions, texts.length].entries()) file.writeUInt32LE(value, 4 * (i + 1))
  texts.copy(file, HEADER)
  for (const [i, { score, weight, vector }] of pieces.entries()) {
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1
    file.writeFloatLE(score, scores + 4 * i)
    file.writeFloatLE((weight * largest) / LARGEST, scores + 4 * (pieces.length + i))
    for (const [d, value] of vector.entries()) {
      file.writeInt8(Math.round((value * LARGEST) / largest), elements + i * dimensions + d)
    }
  }
  return file
}

/** Reads the file of pieces. Throws if it is another file or not whole. */
export function readWordPieces(file: Buffer): WordPieces {
  if (file.length < HEADER || file.toString('latin1', 0, 4) !== MAGIC) throw new Error('It is no file of word pieces.')
  const [count, dimensions, length] = [4, 8, 12].map((at) => file.readUInt32LE(at)) as [number, number, number]
  const [scores, elements] = [startOfScores(length), startOfElements(length, count)]
  if (file.length !== elements + count * dimensions) throw new Error('The file of word pieces is not whole.')
  const floats = (start: number) => Float32Array.from({ length: count }, (_, i) => file.readFloatLE(start + 4 * i))
  return {
    texts: file.toString('utf8', HEADER, HEADER + length).split('\n'),
    scores: floats(scores),
    scales: floats(scores + 4 * count),
    elements: new Int8Array(file.buffer, file.byteOffset + elements, count * dimensions),
    dimensions,
  }
}

const startOfScores = (texts: number) => HEADER + Math.ceil(texts / 4) * 4
const startOfElements = (texts: number, count: number) => startOfScores(texts) + 8 * count
