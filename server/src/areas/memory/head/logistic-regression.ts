import type { HashedText } from './hashed-words.ts'

/** Examples of a regression, by number. */
export interface Rows {
  readonly count: number
  readonly dimensions: number
  /** The squared length of a row. */
  square(row: number): number
  /** The product of a row with weights. */
  dot(row: number, weights: Float64Array): number
  /** Adds a multiple of a row to weights. */
  addTo(weights: Float64Array, row: number, factor: number): void
}

const EPOCHS = 12
const NEWTON_STEPS = 20
/** Examples between two pauses. */
const BETWEEN_PAUSES = 1_000

/**
 * Fits a logistic regression with a ridge penalty by dual coordinate descent (Yu, Huang and Lin 2011), which needs few
 * rounds: the log-odds of an approval are `base + weights · x`. `penalty` weighs the squared weights against the summed
 * loss. The same rows give the same result. It yields after every 1,000 examples, so that the caller can pause.
 */
export function* regress(
  rows: Rows,
  approvals: ArrayLike<number>,
  { base, penalty }: { base: number; penalty: number },
): Generator<void, Float32Array> {
  const weights = new Float64Array(rows.dimensions)
  const most = 1 / penalty
  const start = Math.min(0.001 * most, 1e-8)
  /** The dual variable of each example; the other part of `most` is its complement. */
  const duals = new Float64Array(rows.count).fill(start)
  for (let row = 0; row < rows.count; row++) {
    const sign = approvals[row] ? 1 : -1
    rows.addTo(weights, row, sign * start)
  }
  let done = 0
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (const row of shuffled(rows.count, epoch)) {
      const sign = approvals[row] ? 1 : -1
      const before = duals[row] as number
      const after = bestDual(before, most, rows.square(row), sign * (rows.dot(row, weights) + base))
      duals[row] = after
      rows.addTo(weights, row, sign * (after - before))
      if (++done % BETWEEN_PAUSES === 0) yield
    }
  }
  return Float32Array.from(weights)
}

/** Minimizes the dual objective in one variable by Newton's method, from the side of it that converges. */
function bestDual(before: number, most: number, square: number, margin: number): number {
  const isMirrored = 0.5 * square * (most - 2 * before) + margin < 0
  const start = isMirrored ? most - before : before
  const slope = isMirrored ? -margin : margin
  let z = most - start < 0.5 * most ? 0.1 * start : start
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const gradient = square * (z - start) + slope + Math.log(z / (most - z))
    if (Math.abs(gradient) < 1e-6) break
    const next = z - gradient / (square + most / (most - z) / z)
    z = next <= 0 ? 0.1 * z : Math.min(next, most * (1 - 1e-12))
  }
  return isMirrored ? most - z : z
}

/** The numbers below `count` in an order that looks random and is the same in every run. */
function shuffled(count: number, seed: number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i)
  let state = (seed + 1) * 0x9e3779b1
  for (let i = count - 1; i > 0; i--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const j = Math.floor((state / 2 ** 32) * (i + 1))
    const kept = order[i] as number
    order[i] = order[j] as number
    order[j] = kept
  }
  return order
}

/** Rows of few elements that are not 0. */
export function sparseRows(texts: readonly HashedText[], dimensions: number): Rows {
  const at = (row: number) => texts[row] as HashedText
  return {
    count: texts.length,
    dimensions,
    square: (row) => at(row).amounts.reduce((sum, value) => sum + value * value, 0),
    dot: (row, weights) => sparseDot(at(row), weights),
    addTo(weights, row, factor) {
      const { buckets, amounts } = at(row)
      for (let i = 0; i < buckets.length; i++) {
        const bucket = buckets[i] as number
        weights[bucket] = (weights[bucket] as number) + factor * (amounts[i] as number)
      }
    },
  }
}

/** Rows that are vectors of one length; one that is missing is all zeros. */
export function denseRows(vectors: readonly (Float32Array | null)[], dimensions: number): Rows {
  return {
    count: vectors.length,
    dimensions,
    square: (row) => vectors[row]?.reduce((sum, value) => sum + value * value, 0) ?? 0,
    dot: (row, weights) => denseDot(vectors[row], weights),
    addTo(weights, row, factor) {
      const vector = vectors[row]
      if (!vector) return
      for (let i = 0; i < vector.length; i++) weights[i] = (weights[i] as number) + factor * (vector[i] as number)
    },
  }
}

/** The dot product of hashed words and weights. */
export function sparseDot({ buckets, amounts }: HashedText, weights: Float32Array | Float64Array): number {
  let sum = 0
  for (let i = 0; i < buckets.length; i++) sum += (amounts[i] as number) * (weights[buckets[i] as number] as number)
  return sum
}

/** The dot product of a vector and weights of its length; 0 without a vector. */
export function denseDot(vector: Float32Array | null | undefined, weights: Float32Array | Float64Array): number {
  let sum = 0
  if (vector) for (let i = 0; i < vector.length; i++) sum += (vector[i] as number) * (weights[i] as number)
  return sum
}
