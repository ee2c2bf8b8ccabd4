import { withRoom } from './with-room.ts'

/** A slot of the hash table: both hashes of a stem, and its number + 1; 0 is free. */
const SLOT = 3

/**
 * Numbers stems in the order of their addition. They are kept as bytes (UTF-8) and found by a hash of 64 bits, in a
 * hash table with linear probing. So those of a stored chunk are found without making strings, and without reading the
 * stems that are compared: that would be most of the time. Of a million stems, two have the same hash with a chance of
 * one in 30 million; they would be taken for the same stem.
 */
export class StemBytes {
  size = 0
  #text = new Uint8Array(0)
  /** By stem: where it begins; the last one is the end of the text. */
  #starts = new Uint32Array(1)
  /** The first slot of a stem is chosen by the highest bits of its first hash. At most half of the slots are taken. */
  #slots = new Int32Array(64 * SLOT)
  /** 32 less the number of bits that choose a slot. */
  #shift = 26

  get bytes(): number {
    return this.#text.length + (this.#starts.length + this.#slots.length) * 4
  }

  /** What it holds, to be passed to another thread; it must not be used any more. */
  parts(): StemParts {
    return { size: this.size, text: this.#text, starts: this.#starts, slots: this.#slots, shift: this.#shift }
  }

  static from({ size, text, starts, slots, shift }: StemParts): StemBytes {
    const made = new StemBytes()
    made.size = size
    made.#text = text
    made.#starts = starts
    made.#slots = slots
    made.#shift = shift
    return made
  }

  textOf(stem: number): string {
    return decoder.decode(this.bytesOf(stem))
  }

  /** In UTF-8; a view. */
  bytesOf(stem: number): Uint8Array {
    return this.#text.subarray(this.#starts[stem], this.#starts[stem + 1])
  }

  /** Of the first `most` stems, those that begin with the first character of one of the words. */
  *beginningLike(words: readonly string[], most: number): Generator<string> {
    const starts = new Set(words.map((word) => startOf(encoder.encode(word), 0)))
    for (let stem = 0; stem < Math.min(most, this.size); stem++) {
      if (starts.has(startOf(this.#text, this.#starts[stem] as number))) yield this.textOf(stem)
    }
  }

  packed(): PackedStrings {
    return {
      text: this.#text.slice(0, this.#starts[this.size]),
      ends: this.#starts.slice(1, this.size + 1),
    }
  }

  find(stem: string): number | undefined {
    hash(scratch, 0, encode(stem))
    const found = this.#slots[this.#slotOf(hashA, hashB) + 2] as number
    return found ? found - 1 : undefined
  }

  /** The number of a stem; a new one gets the next number. */
  idOf(stem: string): number {
    const length = encode(stem)
    hash(scratch, 0, length)
    const found = this.#slots[this.#slotOf(hashA, hashB) + 2] as number
    if (found) return found - 1
    this.#reserve(1, length)
    this.#put(hashA, hashB, this.size)
    return this.#append(scratch, 0, length)
  }

  /**
   * Writes the numbers of the packed stems from `first` to before `end` to the same places of `numbers`. Each stem
   * occurs once. They are looked up in the order of the table, because otherwise most of the time is spent waiting for
   * memory. The loops count: a process that has just started takes a third longer for iterators, which it compiles
   * again and again.
   */
  idsOf({ text, ends }: PackedStrings, numbers: Uint32Array, first: number, end: number): void {
    const count = end - first
    reserveScratch(count)
    const { a, b, unknown } = looked
    const start = first ? (ends[first - 1] as number) : 0
    for (let i = first, from = start; i < end; from = ends[i++] as number) {
      hash(text, from, ends[i] as number)
      a[i - first] = hashA
      b[i - first] = hashB
    }
    let others = 0
    const order = inOrder(a, count)
    for (let at = 0; at < count; at++) {
      const i = order[at] as number
      const found = this.#slots[this.#slotOf(a[i] as number, b[i] as number) + 2] as number
      numbers[first + i] = found - 1
      unknown[others] = i
      others += Number(found === 0)
    }
    this.#reserve(others, (ends[end - 1] ?? 0) - start)
    for (let i = first, from = start; i < end; from = ends[i++] as number) {
      if (numbers[i] === UNKNOWN) numbers[i] = this.#append(text, from, ends[i] as number)
    }
    for (let at = 0; at < others; at++) {
      const i = unknown[at] as number
      this.#put(a[i] as number, b[i] as number, numbers[first + i] as number)
    }
  }

  /** Makes room for stems of `length` bytes at most, all together. */
  #reserve(stems: number, length: number): void {
    const size = this.size + stems
    this.#text = withRoom(this.#text, (this.#starts[this.size] as number) + length)
    this.#starts = withRoom(this.#starts, size + 1)
    if (2 * size * SLOT > this.#slots.length) this.#grow(size)
  }

  #append(text: Uint8Array, start: number, end: number): number {
    const stem = this.size++
    const from = this.#starts[stem] as number
    for (let i = start; i < end; i++) this.#text[from + i - start] = text[i] as number
    this.#starts[stem + 1] = from + end - start
    return stem
  }

  /** Where the slot with these hashes begins, or the free one where they belong. */
  #slotOf(a: number, b: number): number {
    const slots = this.#slots
    let at = (a >>> this.#shift) * SLOT
    while (slots[at + 2] !== 0 && (slots[at] !== a || slots[at + 1] !== b)) {
      at += SLOT
      if (at === slots.length) at = 0
    }
    return at
  }

  #put(a: number, b: number, stem: number): void {
    const at = this.#slotOf(a, b)
    this.#slots[at] = a
    this.#slots[at + 1] = b
    this.#slots[at + 2] = stem + 1
  }

  /** Makes room for twice as many stems. */
  #grow(stems: number): void {
    const before = this.#slots
    const bits = Math.ceil(Math.log2(4 * stems))
    this.#slots = new Int32Array(2 ** bits * SLOT)
    this.#shift = 32 - bits
    for (let at = 0; at < before.length; at += SLOT) {
      if (before[at + 2]) this.#put(before[at] as number, before[at + 1] as number, (before[at + 2] as number) - 1)
    }
  }
}

/** What -1 becomes in an array of numbers that have no sign. */
const UNKNOWN = 2 ** 32 - 1

const ORDER_BITS = 14

/**
 * Of the stems that are looked up: both hashes, their order, and those that are new. It is kept: new memory takes time.
 */
const looked = {
  a: new Int32Array(0),
  b: new Int32Array(0),
  order: new Uint32Array(0),
  unknown: new Uint32Array(0),
}

function reserveScratch(count: number): void {
  if (looked.a.length >= count) return
  looked.a = new Int32Array(count)
  looked.b = new Int32Array(count)
  looked.order = new Uint32Array(count)
  looked.unknown = new Uint32Array(count)
}

/** The places of the first `count` hashes, in the order of the hashes' highest bits. */
function inOrder(hashes: Int32Array, count: number): Uint32Array {
  const ends = new Uint32Array((1 << ORDER_BITS) + 1)
  for (let i = 0; i < count; i++) {
    const bucket = ((hashes[i] as number) >>> (32 - ORDER_BITS)) + 1
    ends[bucket] = (ends[bucket] as number) + 1
  }
  for (let i = 1; i < ends.length; i++) ends[i] = (ends[i] as number) + (ends[i - 1] as number)
  const { order } = looked
  for (let i = 0; i < count; i++) {
    const bucket = (hashes[i] as number) >>> (32 - ORDER_BITS)
    const at = ends[bucket] as number
    ends[bucket] = at + 1
    order[at] = i
  }
  return order
}

/** Strings in UTF-8, one after the other: string `n` ends before `ends[n]`. */
export interface PackedStrings {
  readonly text: Uint8Array
  readonly ends: Uint32Array
}

export interface StemParts {
  size: number
  text: Uint8Array<ArrayBuffer>
  starts: Uint32Array<ArrayBuffer>
  slots: Int32Array<ArrayBuffer>
  shift: number
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()
/**
 * A stem has at most 64 UTF-16 code units, which take up to three bytes each; words cut by dictionary may be longer.
 */
let scratch = new Uint8Array(1024)

/** The bytes of the character that begins at a place, but for the fourth, as a number. */
function startOf(text: Uint8Array, at: number): number {
  const lead = text[at] as number
  if (lead < 0x80) return lead
  const two = (lead << 8) | (text[at + 1] as number)
  return lead < 0xe0 ? two : (two << 8) | (text[at + 2] as number)
}

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

let hashA = 0
let hashB = 0

/** Two hashes like FNV-1a, of different factors, with their bits mixed once more. */
function hash(text: Uint8Array, start: number, end: number): void {
  let a = 0x811c9dc5
  let b = 0x9747b28c
  for (let i = start; i < end; i++) {
    a = Math.imul(a ^ (text[i] as number), 0x01000193)
    b = Math.imul(b ^ (text[i] as number), 0x5bd1e995)
  }
  hashA = Math.imul(a ^ (a >>> 15), 0x2c1b3c6d)
  hashB = Math.imul(b ^ (b >>> 13), 0x297a2d39)
}
