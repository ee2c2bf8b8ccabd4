import type { VectorPages } from './vector-pages.ts'
import {
  add,
  addBytes,
  addEights,
  addFloats,
  addFours,
  and,
  assign,
  doWhile,
  everyByte,
  firstWidened,
  instantiated,
  int,
  isLess,
  lastWidened,
  load,
  lookUp,
  moduleOf,
  multiplyFours,
  ofFour,
  shiftedEights,
  store,
  storeFloat,
  value,
  ZEROS,
} from './wasm-code.ts'

// What JavaScript computes one element at a time is computed here for 16 at once, in a tenth and a quarter of the time
// (docs/decisions/vectors-in-memory.md). The vectors stay outside and are copied through the kernel's memory, which fits
// the processor's cache.

const KB = 1024
/** What all are compared with: a query, or its tables. */
const COMMON = 0
const COMMON_BYTES = 128 * KB
const VECTORS = COMMON + COMMON_BYTES
const VECTORS_BYTES = 128 * KB
const RESULTS = VECTORS + VECTORS_BYTES
const RESULTS_BYTES = 64 * KB

/** Vectors have at most so many elements. */
export const MAX_DIMENSIONS = 16_000

/** The dot products with a query: in turn the sum of its elements' products with each of the vectors. */
function productsCode() {
  const [query, queryEnd, vectors, vectorsEnd, results, place, even, odd] = [0, 1, 2, 3, 4, 5, 6, 7] as const
  const sum = addFours(value(even), value(odd))
  const times = (offset: number) => multiplyFours(load(value(place), offset), load(value(vectors), offset))
  return doWhile(
    isLess(value(vectors), value(vectorsEnd)),
    assign(even, ZEROS),
    assign(odd, ZEROS),
    assign(place, value(query)),
    doWhile(
      isLess(value(place), value(queryEnd)),
      assign(even, addFours(value(even), times(0))),
      assign(odd, addFours(value(odd), times(16))),
      assign(place, add(value(place), int(32))),
      assign(vectors, add(value(vectors), int(32))),
    ),
    assign(even, sum),
    storeFloat(
      value(results),
      addFloats(
        addFloats(ofFour(value(even), 0), ofFour(value(even), 1)),
        addFloats(ofFour(value(even), 2), ofFour(value(even), 3)),
      ),
    ),
    assign(results, add(value(results), int(4))),
  )
}

/** For blocks of 16 vectors: the sum of what two tables of 16 say of the lower and the upper half of each byte of a vector. */
function sumsCode() {
  const [tables, tablesEnd, blocks, blocksEnd, results, table, bytes, found, first, last, halves] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ] as const
  const lower = and(value(bytes), value(halves))
  const upper = and(shiftedEights(value(bytes), 4), value(halves))
  const all = doWhile(
    isLess(value(blocks), value(blocksEnd)),
    assign(first, ZEROS),
    assign(last, ZEROS),
    assign(table, value(tables)),
    doWhile(
      isLess(value(table), value(tablesEnd)),
      assign(bytes, load(value(blocks))),
      assign(found, addBytes(lookUp(load(value(table)), lower), lookUp(load(value(table), 16), upper))),
      assign(first, addEights(value(first), firstWidened(value(found)))),
      assign(last, addEights(value(last), lastWidened(value(found)))),
      assign(blocks, add(value(blocks), int(16))),
      assign(table, add(value(table), int(32))),
    ),
    store(value(results), value(first)),
    store(value(results), value(last), 16),
    assign(results, add(value(results), int(32))),
  )
  return [...assign(halves, everyByte(15)), ...all]
}

type Kernel = (common: number, commonEnd: number, vectors: number, vectorsEnd: number, results: number) => void

const binary = moduleOf(
  [
    { name: 'products', parameters: 5, integers: 1, vectors: 2, code: [productsCode()] },
    { name: 'sums', parameters: 5, integers: 1, vectors: 5, code: [sumsCode()] },
  ],
  (RESULTS + RESULTS_BYTES) / (64 * KB),
)
const kernel = instantiated<{ memory: { buffer: ArrayBuffer }; products: Kernel; sums: Kernel }>(binary)
const floats = new Float32Array(kernel.memory.buffer)
const bytes = new Uint8Array(kernel.memory.buffer)

/** Elements of a vector as the kernel takes it: those beyond its own are 0. */
export const paddedLength = (dimensions: number) => Math.ceil(dimensions / 8) * 8

/** The dot products of a query with the vectors at some places, all of a padded length. */
export function productsWith(
  query: Float32Array,
  vectors: Pick<VectorPages, 'copy'>,
  places: Uint32Array,
): Float32Array {
  const { length } = query
  const products = new Float32Array(places.length)
  const most = Math.floor(VECTORS_BYTES / (4 * length))
  floats.set(query, COMMON)
  for (let from = 0; from < places.length; from += most) {
    const count = Math.min(most, places.length - from)
    for (let i = 0; i < count; i++) vectors.copy(places[from + i] as number, floats, VECTORS / 4 + i * length)
    kernel.products(COMMON, COMMON + 4 * length, VECTORS, VECTORS + 4 * count * length, RESULTS)
    products.set(floats.subarray(RESULTS / 4, RESULTS / 4 + count), from)
  }
  return products
}

/** Vectors of a block. */
export const BLOCK = 16

/**
 * Writes for the vectors of some blocks the sum of what the tables say of their bytes, modulo 65,536. A block holds the first
 * bytes of its 16 vectors, then the second ones; for each byte there are two tables: of its lower four bits and of its upper.
 */
export function sumsBy(
  tables: Uint8Array,
  blocks: Uint8Array,
  [fromBlock, toBlock]: [number, number],
  sums: Uint16Array,
): void {
  const blockBytes = tables.length / 2
  const most = Math.min(Math.floor(VECTORS_BYTES / blockBytes), RESULTS_BYTES / (2 * BLOCK))
  bytes.set(tables, COMMON)
  const results = new Uint16Array(kernel.memory.buffer, RESULTS)
  for (let from = fromBlock; from < toBlock; from += most) {
    const count = Math.min(most, toBlock - from)
    bytes.set(blocks.subarray(from * blockBytes, (from + count) * blockBytes), VECTORS)
    kernel.sums(COMMON, COMMON + tables.length, VECTORS, VECTORS + count * blockBytes, RESULTS)
    sums.set(results.subarray(0, count * BLOCK), from * BLOCK)
  }
}
