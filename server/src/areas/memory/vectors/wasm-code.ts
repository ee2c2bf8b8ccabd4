/** Instructions of WebAssembly in their binary form. An expression leaves its value on the stack. */
export type Code = readonly number[]

type Binary = (a: Code, b: Code) => Code
const binary =
  (...opcode: number[]): Binary =>
  (a, b) => [...a, ...b, ...opcode]

/** A parameter or variable by its number: parameters first. */
export const value = (variable: number): Code => [0x20, variable]
export const assign = (variable: number, code: Code): Code => [...code, 0x21, variable]
/** A number from 0 to 63. */
export const int = (number: number): Code => [0x41, number]
export const add = binary(0x6a)
export const isLess = binary(0x49)
export const addFloats = binary(0x92)
/** Does it all, and again as long as the condition is true. */
export const doWhile = (condition: Code, ...body: Code[]): Code => [
  ...[0x03, 0x40],
  ...body.flat(),
  ...condition,
  ...[0x0d, 0x00, 0x0b],
]

/** 16 bytes at an address, or so many after it. */
export const load = (address: Code, offset = 0): Code => [...address, 0xfd, 0x00, 0x00, offset]
export const store = (address: Code, code: Code, offset = 0): Code => [...address, ...code, 0xfd, 0x0b, 0x00, offset]
export const storeFloat = (address: Code, code: Code): Code => [...address, ...code, 0x38, 0x00, 0x00]

/** Each of the 16 bytes of `places` (0 to 15) becomes the byte of the table at that place. */
export const lookUp = binary(0xfd, 0x0e)
export const and = binary(0xfd, 0x4e)
export const everyByte = (byte: number): Code => [...int(byte), 0xfd, 0x0f]
/** Eight numbers of two bytes, shifted to the right. */
export const shiftedEights = (code: Code, bits: number): Code => [...code, ...int(bits), 0xfd, 0x8d, 0x01]
export const addBytes = binary(0xfd, 0x6e)
/** The first and the last eight of 16 bytes as numbers of two bytes. */
export const firstWidened = (code: Code): Code => [...code, 0xfd, 0x89, 0x01]
export const lastWidened = (code: Code): Code => [...code, 0xfd, 0x8a, 0x01]
export const addEights = binary(0xfd, 0x8e, 0x01)
export const addFours = binary(0xfd, 0xe4, 0x01)
export const multiplyFours = binary(0xfd, 0xe6, 0x01)
export const ofFour = (code: Code, place: number): Code => [...code, 0xfd, 0x1f, place]
export const ZEROS: Code = everyByte(0)

/** What a module exports, ready for use. TypeScript knows WebAssembly only together with the whole DOM. */
export function instantiated<Exports>(module: Uint8Array): Exports {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: Engine<Exports> }
  return new WebAssembly.Instance(new WebAssembly.Module(module)).exports
}

interface Engine<Exports> {
  Module: new (binary: Uint8Array) => object
  Instance: new (module: object) => { exports: Exports }
}

interface Function {
  name: string
  parameters: number
  /** Variables after the parameters: of an integer, and of 16 bytes. */
  integers: number
  vectors: number
  code: Code[]
}

/** A module of functions that take integers and answer nothing, and of a memory of so many pages of 64 kB. */
export function moduleOf(functions: Function[], pages: number): Uint8Array {
  const types = functions.map(({ parameters }) => [0x60, ...list(Array(parameters).fill([INTEGER])), 0])
  const exports = functions.map(({ name }, i) => [...text(name), 0x00, i])
  const bodies = functions.map(({ integers, vectors, code }) => {
    const body = [
      ...list([
        [integers, INTEGER],
        [vectors, VECTOR],
      ]),
      ...code.flat(),
      0x0b,
    ]
    return [...length(body.length), ...body]
  })
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, types),
    ...section(
      3,
      functions.map((_, i) => [i]),
    ),
    ...section(5, [[0x00, pages]]),
    ...section(7, [[...text('memory'), 0x02, 0x00], ...exports]),
    ...section(10, bodies),
  ])
}

const INTEGER = 0x7f
const VECTOR = 0x7b

function section(id: number, items: Code[]): Code {
  const content = list(items)
  return [id, ...length(content.length), ...content]
}

const list = (items: Code[]): Code => [...length(items.length), ...items.flat()]
const text = (name: string): Code => list([...name].map((character) => [character.charCodeAt(0)]))

/** Seven bits to a byte, the lowest first. */
function length(count: number): Code {
  return count < 128 ? [count] : [(count & 127) | 128, ...length(count >>> 7)]
}
