import { readFile } from 'node:fs/promises'
import loadWabt from 'wabt'

const SOURCE = 'server/src/areas/memory/vectors/vector-kernel.wat'

/**
 * The TypeScript file that holds the vector kernel, compiled from its WebAssembly text; throws on a fault in the text.
 */
export async function compiledVectorKernel(): Promise<string> {
  const wabt = await loadWabt()
  const parsed = wabt.parseWat(SOURCE, await readFile(new URL(`../${SOURCE}`, import.meta.url), 'utf8'), { simd: true })
  try {
    parsed.validate()
    const { buffer } = parsed.toBinary({})
    return `// Generated from vector-kernel.wat by \`npm run generate\`.

/** The compiled kernel in base64. */
export const VECTOR_KERNEL_WASM =
  '${Buffer.from(buffer).toString('base64')}'
`
  } finally {
    parsed.destroy()
  }
}
