/** Buckets that stems and pairs of neighbouring stems fall into. Those that share one are not told apart. */
export const BUCKETS = 1 << 16

/** What a pair counts beside a stem (chosen on Catalyst funds 6 and 7). */
const PAIR = 0.7
/** The most stems that are read of a text. */
const MOST_STEMS = 1_000

/** Buckets of a text, each once, and how much each counts. */
export interface HashedText {
  buckets: Uint32Array
  amounts: Float32Array
}

/** Hashes the stems of a text, in their order, and the pairs of neighbours. */
export function hashed(stems: readonly string[]): HashedText {
  const counts = new Map<number, number>()
  const add = (hash: number, amount: number) => {
    const bucket = hash & (BUCKETS - 1)
    counts.set(bucket, (counts.get(bucket) ?? 0) + amount)
  }
  let before: number | undefined
  for (const stem of stems.slice(0, MOST_STEMS)) {
    const hash = hashOf(stem, OFFSET)
    add(mixed(hash), 1)
    if (before !== undefined) add(mixed(hashOf(stem, Math.imul(before, PRIME) ^ 0x20)), PAIR)
    before = hash
  }
  return {
    buckets: Uint32Array.from(counts.keys()),
    amounts: Float32Array.from(counts.values(), (count) => (count < 1 ? count : 1 + Math.log(count))),
  }
}

const OFFSET = 0x811c9dc5
const PRIME = 0x01000193

/** FNV-1a over code units. */
function hashOf(text: string, start: number): number {
  let hash = start
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME)
  return hash
}

/** Its lower bits depend on all bits. */
const mixed = (hash: number) => (hash ^ (hash >>> 15)) >>> 0

/** In how many texts each bucket occurs. */
export class BucketWeights {
  readonly idf: Float32Array

  constructor(idf: Float32Array) {
    this.idf = idf
  }

  static of(texts: readonly HashedText[]): BucketWeights {
    const holding = new Uint32Array(BUCKETS)
    for (const { buckets } of texts) for (const bucket of buckets) holding[bucket] = (holding[bucket] as number) + 1
    return new BucketWeights(Float32Array.from(holding, (count) => Math.log((texts.length + 1) / (count + 1)) + 1))
  }

  /** The text as a vector of length 1. */
  weighed({ buckets, amounts }: HashedText): HashedText {
    const weighed = amounts.map((amount, i) => amount * (this.idf[buckets[i] as number] as number))
    let square = 0
    for (const value of weighed) square += value * value
    const norm = Math.sqrt(square) || 1
    return { buckets, amounts: weighed.map((value) => value / norm) }
  }
}
