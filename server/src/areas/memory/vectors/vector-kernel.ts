import { VECTOR_KERNEL_WASM } from './vector-kernel-wasm.ts'
import type { VectorPages } from './vector-pages.ts'

// The kernel (vector-kernel.wat) computes 8 or 16 elements at once and takes a tenth to a quarter of the time that
// JavaScript takes (docs/decisions/vectors-in-memory.md). The vectors stay outside of its memory and are copied through
// it in batches, so that it fits the processor's cache.

const KB = 1024
/** What all vectors are compared with: the query, or its tables. */
const COMMON = 0
const COMMON_BYTES = 128 * KB
const VECTORS = COMMON + COMMON_BYTES
const VECTORS_BYTES = 128 * KB
const RESULTS = VECTORS + VECTORS_BYTES
const RESULTS_BYTES = 64 * KB

/** Addresses in the memory of the kernel. */
type Kernel = (common: number, commonEnd: number, vectors: number, vectorsEnd: number, results: number) => void

interface KernelExports {
  memory: { buffer: ArrayBuffer }
  products: Kernel
  sums: Kernel
}

// TypeScript declares WebAssembly only together with the whole DOM.
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    Module: new (binary: Uint8Array) => object
    Instance: new (module: object) => { exports: KernelExports }
  }
}

const kernel = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(VECTOR_KERNEL_WASM, 'base64'))).exports
const floats = new Float32Array(kernel.memory.buffer)
const bytes = new Uint8Array(kernel.memory.buffer)

/** The number of elements of a vector as the kernel takes it, filled up with zeros. */
export const paddedLength = (dimensions: number) => Math.ceil(dimensions / 8) * 8

/** Returns the dot products of a query with the vectors at the given places, all of the same padded length. */
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

/** The number of vectors in a block. */
export const BLOCK = 16

/**
 * Writes for each vector of the given blocks the sum of its table entries, modulo 65,536. A block holds the first bytes
 * of its 16 vectors, then the second bytes, and so on. Each byte has two tables: for its lower four bits, then its
 * upper four.
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
