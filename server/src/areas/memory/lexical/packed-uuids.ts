/** A UUID takes four numbers of 32 bits. */
export const WORDS = 4

const UUID = Buffer.from('00000000-0000-0000-0000-000000000000')
/** Where each four digits of a UUID begin in its text. */
const QUARTETS = Uint8Array.of(0, 4, 9, 14, 19, 24, 28, 32)
const DIGITS = Buffer.from('0123456789abcdef')
/** The value of a digit, by its code. */
const VALUES = new Uint8Array(128)
for (const [value, code] of DIGITS.entries()) VALUES[code] = value

/** UUIDs one after the other. They are texts in lower case, as PostgreSQL writes them. Throws for another length. */
export function packUuids(ids: readonly string[]): Uint32Array {
  const packed = new Uint32Array(ids.length * WORDS)
  for (const [i, id] of ids.entries()) packUuid(id, packed, i * WORDS)
  return packed
}

/** Writes a UUID to a place of `into`. */
export function packUuid(id: string, into: Uint32Array, at: number): void {
  if (id.length !== UUID.length) throw new TypeError(`${id} is no UUID.`)
  for (let word = 0, i = 0; word < WORDS; word++) {
    const first = read(id, QUARTETS[i++] as number)
    into[at + word] = (first << 16) | read(id, QUARTETS[i++] as number)
  }
}

/** The text of the UUID at a place of `ids`. */
export function unpackUuid(ids: Uint32Array, at: number): string {
  for (let i = 0; i < QUARTETS.length; i++) {
    const word = ids[at + (i >>> 1)] as number
    write(i % 2 ? word : word >>> 16, QUARTETS[i] as number)
  }
  return UUID.toString('latin1')
}

/** Four digits of a text as a number. */
function read(id: string, at: number): number {
  let value = 0
  for (let i = at; i < at + 4; i++) value = (value << 4) | (VALUES[id.charCodeAt(i)] as number)
  return value
}

/** Writes the last 16 bits of a number as four digits. */
function write(value: number, at: number): void {
  for (let i = 0; i < 4; i++) UUID[at + i] = DIGITS[(value >>> (12 - 4 * i)) & 15] as number
}
