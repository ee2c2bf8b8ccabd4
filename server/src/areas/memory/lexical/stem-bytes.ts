import { withRoom } from './typed-column.ts'

/**
 * Numbers stems in the order of their addition. They are kept as bytes (UTF-8) in a hash table with linear probing: so
 * those of a stored chunk are found without making strings.
 */
export class StemBytes {
  size = 0
  #text = new Uint8Array(0)
  /** By stem: where it begins; the last one is the end of the text. */
  #starts = new Uint32Array(1)
  #hashes = new Uint32Array(0)
  /** Stem + 1 by hash; 0 is free. At most half are taken. */
  #slots = new Uint32Array(64)

  get bytes(): number {
    return this.#text.length + (this.#starts.length + this.#hashes.length + this.#slots.length) * 4
  }

  textOf(stem: number): string {
    return decoder.decode(this.#text.subarray(this.#starts[stem], this.#starts[stem + 1]))
  }

  packed(): PackedStems {
    return {
      text: this.#text.slice(0, this.#starts[this.size]),
      ends: this.#starts.slice(1, this.size + 1),
    }
  }

  find(stem: string): number | undefined {
    const length = encode(stem)
    const found = this.#slots[this.#slotOf(scratch, 0, length, hashOf(scratch, 0, length))] as number
    return found ? found - 1 : undefined
  }

  /** The number of a stem; a new one gets the next number. */
  idOf(stem: string): number {
    return this.#idOf(scratch, 0, encode(stem))
  }

  /** The number of the stem in a place of packed ones. */
  idOfPacked({ text, ends }: PackedStems, place: number): number {
    return this.#idOf(text, place ? (ends[place - 1] as number) : 0, ends[place] as number)
  }

  #idOf(text: Uint8Array, start: number, end: number): number {
    const hash = hashOf(text, start, end)
    const slot = this.#slotOf(text, start, end, hash)
    const found = this.#slots[slot] as number
    if (found) return found - 1
    const stem = this.size++
    const from = this.#starts[stem] as number
    const to = from + end - start
    this.#text = withRoom(this.#text, to)
    for (let i = start; i < end; i++) this.#text[from + i - start] = text[i] as number
    this.#starts = withRoom(this.#starts, stem + 2)
    this.#starts[stem + 1] = to
    this.#hashes = withRoom(this.#hashes, stem + 1)
    this.#hashes[stem] = hash
    this.#slots[slot] = stem + 1
    if (2 * this.size > this.#slots.length) this.#grow()
    return stem
  }

  /** The slot of a stem, or the free one where it belongs. */
  #slotOf(text: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = hash & mask
    for (;;) {
      const taken = slots[slot] as number
      if (taken === 0) return slot
      if (this.#hashes[taken - 1] === hash && this.#holds(taken - 1, text, start, end)) return slot
      slot = (slot + 1) & mask
    }
  }

  #holds(stem: number, text: Uint8Array, start: number, end: number): boolean {
    const from = this.#starts[stem] as number
    if ((this.#starts[stem + 1] as number) - from !== end - start) return false
    for (let i = start; i < end; i++) if (this.#text[from + i - start] !== text[i]) return false
    return true
  }

  #grow(): void {
    const slots = new Uint32Array(4 * this.#slots.length)
    const mask = slots.length - 1
    for (let stem = 0; stem < this.size; stem++) {
      let slot = (this.#hashes[stem] as number) & mask
      while (slots[slot]) slot = (slot + 1) & mask
      slots[slot] = stem + 1
    }
    this.#slots = slots
  }
}

/** Stems in UTF-8, one after the other: stem `n` ends before `ends[n]`. */
export interface PackedStems {
  readonly text: Uint8Array
  readonly ends: Uint32Array
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()
/** A stem has at most 64 UTF-16 code units, which take up to three bytes each; words cut by dictionary may be longer. */
let scratch = new Uint8Array(1024)

/** Writes the stem to the scratch as UTF-8, and returns its length in bytes. */
function encode(stem: string): number {
  if (3 * stem.length > scratch.length) scratch = new Uint8Array(3 * stem.length)
  for (let i = 0; i < stem.length; i++) {
    const unit = stem.charCodeAt(i)
    if (unit > 127) return encoder.encodeInto(stem, scratch).written
    scratch[i] = unit
  }
  return stem.length
}

/** FNV-1a, with its bits mixed once more, because the lowest choose the slot. */
function hashOf(text: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (text[i] as number), 0x01000193)
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
}
