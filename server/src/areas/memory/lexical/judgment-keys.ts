import { withRoom } from '../words/with-room.ts'
import { packUuid, unpackUuid, WORDS } from './packed-uuids.ts'

/**
 * The keys of rows, and the row of each key: the latest that was added with it, unless it was removed. They are found
 * by a hash table with linear probing, whose slots are chosen by the first bits of a key: keys are hashes themselves. A
 * map of strings takes much longer to make, and more memory.
 */
export class JudgmentKeys {
  /** By row: its key, packed. */
  #keys = new Uint32Array(0)
  /** The latest row of a key, counted from 1, and negative if it was removed; 0 is free. At most half are taken. */
  #slots = new Int32Array(64)
  /** 32 less the number of bits that choose a slot. */
  #shift = 26
  /** How many slots are taken. */
  #taken = 0
  /** How many rows there are. */
  count = 0
  /** How many keys have a row. */
  live = 0

  get bytes(): number {
    return (this.#keys.length + this.#slots.length) * 4
  }

  /** Makes room at once for as many rows. */
  expect(rows: number): void {
    this.#keys = withRoom(this.#keys, rows * WORDS)
    if (2 * rows > this.#slots.length) this.#grow(rows)
  }

  /** Adds a row; returns it. Throws for a key that is no UUID. */
  add(key: string): number {
    this.addMany(packed(key))
    return this.count - 1
  }

  /** Adds rows for keys as `packUuids` packs them. */
  addMany(keys: Uint32Array): void {
    const rows = keys.length / WORDS
    this.#keys = withRoom(this.#keys, (this.count + rows) * WORDS)
    if (2 * (this.#taken + rows) > this.#slots.length) this.#grow(2 * (this.#taken + rows))
    this.#keys.set(keys, this.count * WORDS)
    for (let i = 0; i < rows; i++) this.#link()
  }

  /** Makes the next row that of its key. */
  #link(): void {
    const slot = this.#slotOf(this.#keys, this.count * WORDS)
    const before = this.#slots[slot] as number
    if (before === 0) this.#taken++
    if (before <= 0) this.live++
    this.#slots[slot] = ++this.count
  }

  keyAt(row: number): string {
    return unpackUuid(this.#keys, row * WORDS)
  }

  rowOf(key: string): number | undefined {
    const found = this.#slots[this.#slotOf(packed(key), 0)] as number
    return found > 0 ? found - 1 : undefined
  }

  /** Takes the row from a key; returns it. */
  remove(key: string): number | undefined {
    const slot = this.#slotOf(packed(key), 0)
    const found = this.#slots[slot] as number
    if (found <= 0) return undefined
    this.#slots[slot] = -found
    this.live--
    return found - 1
  }

  /** The slot of the key that begins at a place of `keys`, or the free one where it belongs. */
  #slotOf(keys: Uint32Array, at: number): number {
    const slots = this.#slots
    let slot = (keys[at] as number) >>> this.#shift
    while (slots[slot] !== 0 && !this.#isAt((Math.abs(slots[slot] as number) - 1) * WORDS, keys, at)) {
      slot = slot + 1 === slots.length ? 0 : slot + 1
    }
    return slot
  }

  #isAt(place: number, keys: Uint32Array, at: number): boolean {
    for (let i = 0; i < WORDS; i++) if (this.#keys[place + i] !== keys[at + i]) return false
    return true
  }

  /** Makes room for so many keys. */
  #grow(keys: number): void {
    const before = this.#slots
    const bits = Math.ceil(Math.log2(2 * keys))
    this.#slots = new Int32Array(2 ** bits)
    this.#shift = 32 - bits
    for (const row of before) {
      if (row !== 0) this.#slots[this.#slotOf(this.#keys, (Math.abs(row) - 1) * WORDS)] = row
    }
  }
}

const scratch = new Uint32Array(WORDS)

/** A key, packed, until the next call. */
function packed(key: string): Uint32Array {
  packUuid(key, scratch, 0)
  return scratch
}
