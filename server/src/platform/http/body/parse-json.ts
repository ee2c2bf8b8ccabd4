import { restAfter } from '../../turns/yield.ts'

/** Text of so many characters is parsed at once. */
const PIECE = 64 * 1024
const TURN_MS = 10

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const BLANK = /^[ \t\n\r]*$/

const opens = (code: number) => code === OPEN_LIST || code === OPEN_OBJECT
const closes = (code: number) => code === CLOSE_LIST || code === CLOSE_OBJECT

type Container = unknown[] | Record<string, unknown>

/**
 * Parses JSON text (RFC 8259) to what `JSON.parse` makes of it. Long text is parsed in pieces, with rests between them:
 * 5 MiB of short members would hold the process for over 100 ms. Throws SyntaxError for text that is not JSON.
 */
export async function parseJson(text: string): Promise<unknown> {
  if (text.length <= PIECE) return JSON.parse(text)
  const parser = new PieceParser(text)
  return parser.parse()
}

/**
 * Parses long containers member by member; whatever is shorter goes to `JSON.parse`, as many members as fit a piece.
 */
class PieceParser {
  readonly #text: string
  /** Where the long containers begin, and the position after each. */
  readonly #ends: Map<number, number>
  #since = performance.now()

  constructor(text: string) {
    this.#text = text
    this.#ends = endsOfLongContainers(text)
  }

  async parse(): Promise<unknown> {
    const start = this.#text.search(/[^ \t\n\r]/)
    const end = this.#ends.get(start)
    if (end === undefined) return JSON.parse(this.#text)
    if (!this.#isBlank(end, this.#text.length)) throw new SyntaxError('text after the value')
    await this.#rest()
    return this.#container(start, end)
  }

  async #container(start: number, end: number): Promise<unknown> {
    const isList = this.#text.charCodeAt(start) === OPEN_LIST
    const into: Container = isList ? [] : {}
    if (this.#isBlank(start + 1, end - 1)) return into
    // The members from `piece` on are not parsed yet.
    let piece = start + 1
    for (let member = piece; member < end; ) {
      const { stop, long } = this.#endOfMember(member)
      if (long !== undefined) {
        // The members before it.
        if (piece < member) this.#parsePiece(into, piece, member - 1)
        await this.#parseLongMember(into, { member, long, stop })
        piece = stop + 1
      } else if (stop - piece > PIECE || stop === end - 1) {
        this.#parsePiece(into, piece, stop)
        piece = stop + 1
      }
      await this.#rest()
      member = stop + 1
    }
    return into
  }

  /**
   * The position of the comma or bracket that ends the member, and where its value begins if that is a long container.
   */
  #endOfMember(member: number): { stop: number; long: number | undefined } {
    const text = this.#text
    let depth = 0
    let long: number | undefined
    for (let i = member; ; i++) {
      const code = text.charCodeAt(i)
      if (depth === 0 && (code === COMMA || closes(code))) return { stop: i, long }
      if (code === QUOTE) i = endOfString(text, i)
      else if (closes(code)) depth--
      else if (opens(code)) {
        const end = this.#ends.get(i)
        if (end === undefined) depth++
        else if (long !== undefined) throw new SyntaxError('two values in a member')
        else {
          long = i
          i = end - 1
        }
      }
    }
  }

  #parsePiece(into: Container, from: number, to: number): void {
    if (this.#isBlank(from, to)) throw new SyntaxError('a member is missing')
    const members = this.#text.slice(from, to)
    if (Array.isArray(into)) for (const item of JSON.parse(`[${members}]`) as unknown[]) into.push(item)
    else for (const [name, value] of Object.entries(JSON.parse(`{${members}}`))) setMember(into, name, value)
  }

  async #parseLongMember(
    into: Container,
    { member, long, stop }: { member: number; long: number; stop: number },
  ): Promise<void> {
    const end = this.#ends.get(long) as number
    if (!this.#isBlank(end, stop)) throw new SyntaxError('text after a value')
    if (Array.isArray(into)) {
      if (!this.#isBlank(member, long)) throw new SyntaxError('text before a value')
      into.push(await this.#container(long, end))
    } else {
      // The one member of an object, with a short value in place of the long one.
      const [name = ''] = Object.keys(JSON.parse(`{${this.#text.slice(member, long)}0}`))
      setMember(into, name, await this.#container(long, end))
    }
  }

  #isBlank(from: number, to: number): boolean {
    return BLANK.test(this.#text.slice(from, to))
  }

  async #rest(): Promise<void> {
    if (performance.now() - this.#since < TURN_MS) return
    await restAfter(this.#since)
    this.#since = performance.now()
  }
}

/** Sets a member as `JSON.parse` does: `__proto__` is a name like any other. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}

/** Where containers of more than a piece begin, and the position after each. SyntaxError unless all brackets match. */
function endsOfLongContainers(text: string): Map<number, number> {
  const ends = new Map<number, number>()
  const open: number[] = []
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) i = endOfString(text, i)
    else if (opens(code)) open.push(i)
    else if (closes(code)) {
      const start = open.pop() ?? -1
      // In ASCII each closing bracket comes two places after its opening one.
      if (text.charCodeAt(start) !== code - 2) throw new SyntaxError('a bracket without its other')
      if (i - start > PIECE) ends.set(start, i + 1)
    }
  }
  if (open.length > 0) throw new SyntaxError('a bracket is not closed')
  return ends
}

/** The position of the quote that ends the string that begins at `start`, found as `scanJson` does. */
function endOfString(text: string, start: number): number {
  const end = text.indexOf('"', start + 1)
  if (end === -1) throw new SyntaxError('a string is not closed')
  let escapes = 0
  while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++
  if (escapes % 2 === 0) return end
  for (let i = end + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) return i
    if (code === BACKSLASH) i++
  }
  throw new SyntaxError('a string is not closed')
}
