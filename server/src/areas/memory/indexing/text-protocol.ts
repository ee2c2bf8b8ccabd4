import type { ChunkTexts, TextsParts } from '../lexical/texts.ts'

/** An order to the thread that makes texts: to add to a build, or to end it. After `end` it ends, with no answer. */
export type TextOrder =
  | { build: number; do: 'add'; texts: ChunkTexts }
  | { build: number; do: 'finish' }
  | { build: number; do: 'drop' }

export type LastOrder = { do: 'end' }

export interface TextAnswer {
  /** What the texts of the build take in the thread. */
  bytes: number
  /** The answer to `finish`. */
  parts?: TextsParts
}

/** The buffers of all arrays of numbers in a value of objects and lists, each once. */
export function buffersOf(value: unknown, found = new Set<ArrayBuffer>()): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer)
  else if (typeof value === 'object' && value) for (const each of Object.values(value)) buffersOf(each, found)
  return [...found]
}
