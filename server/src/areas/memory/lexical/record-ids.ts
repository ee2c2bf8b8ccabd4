import { withRoom } from '../words/with-room.ts'
import { packUuid, unpackUuid, WORDS } from './packed-uuids.ts'

/**
 * The ids of rows, and the row of each id: the latest that was added with it, unless it was removed. They are found by a
 * hash table with linear probing, whose slots are chosen by the first bits of an id: ids are hashes themselves. A map of
 * strings takes much longer to make, and more memory.
 */
export class RecordIds {
  /** By row: its id. */
  #ids = new Uint32Array(0)
  /** The latest row of an id, counted from 1, and negative if it was removed; 0 is free. At most half are taken. */
  #slots = new Int32Array(64)
  /** 32 less the number of bits that choose a slot. */
  #shift = 26
  /** How many slots are taken. */
  #taken = 0
  /** How many rows there are. */
  count = 0
  /** How many ids have a row. */
  live = 0

  get bytes(): number {
    return (this.#ids.length + this.#slots.length) * 4
  }

  /** Makes room at once for as many rows. */
  expect(rows: number): void {
    this.#ids = withRoom(this.#ids, rows * WORDS)
    if (2 * rows > this.#slots.length) this.#grow(rows)
  }

  /** Adds a row; returns it. Throws for an id that is no UUID. */
  add(id: string): number {
    this.addMany(packed(id))
    return this.count - 1
  }

  /** Adds rows for ids as `packUuids` packs them. */
  addMany(ids: Uint32Array): void {
    const rows = ids.length / WORDS
    this.#ids = withRoom(this.#ids, (this.count + rows) * WORDS)
    if (2 * (this.#taken + rows) > this.#slots.length) this.#grow(2 * (this.#taken + rows))
    this.#ids.set(ids, this.count * WORDS)
    for (let i = 0; i < rows; i++) this.#link()
  }

  /** Makes the next row that of its id. */
  #link(): void {
    const slot = this.#slotOf(this.#ids, this.count * WORDS)
    const before = this.#slots[slot] as number
    if (before === 0) this.#taken++
    if (before <= 0) this.live++
    this.#slots[slot] = ++this.count
  }

  idOf(row: number): string {
    return unpackUuid(this.#ids, row * WORDS)
  }

  rowOf(id: string): number | undefined {
    const found = this.#slots[this.#slotOf(packed(id), 0)] as number
    return found > 0 ? found - 1 : undefined
  }

  /** Takes the row from an id; returns it. */
  remove(id: string): number | undefined {
    const slot = this.#slotOf(packed(id), 0)
    const found = this.#slots[slot] as number
    if (found <= 0) return undefined
    this.#slots[slot] = -found
    this.live--
    return found - 1
  }

  /** The slot of the id that begins at a place of `ids`, or the free one where it belongs. */
  #slotOf(ids: Uint32Array, at: number): number {
    const slots = this.#slots
    let slot = (ids[at] as number) >>> this.#shift
    while (slots[slot] !== 0 && !this.#isAt((Math.abs(slots[slot] as number) - 1) * WORDS, ids, at)) {
      slot = slot + 1 === slots.length ? 0 : slot + 1
    }
    return slot
  }

  #isAt(place: number, ids: Uint32Array, at: number): boolean {
    for (let i = 0; i < WORDS; i++) if (this.#ids[place + i] !== ids[at + i]) return false
    return true
  }

  /** Makes room for so many ids. */
  #grow(ids: number): void {
    const before = this.#slots
    const bits = Math.ceil(Math.log2(2 * ids))
    this.#slots = new Int32Array(2 ** bits)
    this.#shift = 32 - bits
    for (const row of before) {
      if (row !== 0) this.#slots[this.#slotOf(this.#ids, (Math.abs(row) - 1) * WORDS)] = row
    }
  }
}

const scratch = new Uint32Array(WORDS)

/** An id, until the next call. */
function packed(id: string): Uint32Array {
  packUuid(id, scratch, 0)
  return scratch
}
