/** A direction of variation, of length 1, and the variance along it. */
export interface Axis {
  direction: Float64Array
  variance: number
}

/** The rows minus their mean. */
export function centred(rows: Float64Array[]): Float64Array[] {
  const mean = new Float64Array(rows[0]?.length ?? 0)
  for (const row of rows) for (let i = 0; i < mean.length; i++) mean[i] = at(mean, i) + at(row, i) / rows.length
  return rows.map((row) => row.map((value, i) => value - at(mean, i)))
}

/** The covariance of centred rows. */
export function covariance(rows: Float64Array[]): Float64Array[] {
  const width = rows[0]?.length ?? 0
  const matrix = Array.from({ length: width }, () => new Float64Array(width))
  for (const row of rows) {
    for (let i = 0; i < width; i++) {
      const target = matrix[i] as Float64Array
      const value = at(row, i) / rows.length
      for (let j = 0; j < width; j++) target[j] = at(target, j) + value * at(row, j)
    }
  }
  return matrix
}

const SWEEPS = 12

/** The eigenvectors of a symmetric matrix, the largest variance first, by Jacobi's cyclic rotations. */
export function principalAxes(symmetric: Float64Array[]): Axis[] {
  const size = symmetric.length
  const matrix = symmetric.map((row) => Float64Array.from(row))
  const directions = matrix.map((_, i) => Float64Array.from({ length: size }, (__, j) => Number(i === j)))
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(matrix, directions, p, q)
  }
  return directions
    .map((direction, i) => ({ direction: signed(direction), variance: at(matrix[i] as Float64Array, i) }))
    .sort((a, b) => b.variance - a.variance)
}

/** Makes the element (p, q) zero. Row i of `directions` is the i-th eigenvector so far. */
function rotate(matrix: Float64Array[], directions: Float64Array[], p: number, q: number): void {
  const [rowP, rowQ] = [matrix[p] as Float64Array, matrix[q] as Float64Array]
  const element = at(rowP, q)
  if (element === 0) return
  const ratio = (at(rowQ, q) - at(rowP, p)) / (2 * element)
  const tangent = (ratio < 0 ? -1 : 1) / (Math.abs(ratio) + Math.sqrt(ratio * ratio + 1))
  const cosine = 1 / Math.sqrt(tangent * tangent + 1)
  const sine = tangent * cosine
  for (const row of matrix) turn(row, row, p, q)
  turnRows(rowP, rowQ)
  turnRows(directions[p] as Float64Array, directions[q] as Float64Array)

  function turn(a: Float64Array, b: Float64Array, i: number, j: number): void {
    const [x, y] = [at(a, i), at(b, j)]
    a[i] = cosine * x - sine * y
    b[j] = sine * x + cosine * y
  }
  function turnRows(a: Float64Array, b: Float64Array): void {
    for (let i = 0; i < a.length; i++) turn(a, b, i, i)
  }
}

/** Of a direction and its opposite, the one whose largest element is positive. */
function signed(direction: Float64Array): Float64Array {
  const largest = direction.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0)
  return largest < 0 ? direction.map((value) => -value) : direction
}

/** A row along some axes, each scaled by the fourth root of its variance: strong axes count more, but not all. */
export function projected(row: Float64Array, axes: Axis[]): Float64Array {
  return Float64Array.from(axes, ({ direction, variance }) => {
    let sum = 0
    for (let i = 0; i < row.length; i++) sum += at(row, i) * at(direction, i)
    return sum / Math.sqrt(Math.sqrt(variance))
  })
}

const at = (values: Float64Array, i: number) => values[i] as number
