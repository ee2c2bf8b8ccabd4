import type { Sql } from '../db.ts'

const MAX_NAMES = 500

/** The text of a statement, and the name under which connections prepare it; without a name it is not prepared. */
interface NamedText {
  text: string
  name: string | undefined
}

/** Names statements. */
export interface Names {
  of(statement: Sql): NamedText
}

/** Leaves every statement without a name, so that each is parsed by itself. */
export const NO_NAMES: Names = { of: ({ text }) => ({ text, name: undefined }) }

interface Known extends NamedText {
  pieces: string[]
}

/**
 * Statements are prepared once per connection, under a name that stands for their text, and stay prepared as long as
 * the connection. Callers influence some of the texts, so past a limit statements are not prepared. The workers'
 * statements outside of transactions have connections of their own, so callers cannot use up their names.
 *
 * A statement is found by its pieces, the strings between its parameters: first by their lengths, then by comparing
 * them. Most are the same constants. To join and hash its text takes several times as long.
 */
export class StatementNames implements Names {
  readonly #byLengths = new Map<number, Known[]>()
  #count = 0

  of(statement: Sql): NamedText {
    const pieces = statement.strings
    const lengths = hashOfLengths(pieces)
    const alike = this.#byLengths.get(lengths)
    const known = alike?.find((each) => areEqual(each.pieces, pieces))
    if (known) return known
    const { text } = statement
    if (this.#count >= MAX_NAMES) return { text, name: undefined }
    const added = { text, name: `s${this.#count++}`, pieces }
    if (alike) alike.push(added)
    else this.#byLengths.set(lengths, [added])
    return added
  }
}

function hashOfLengths(pieces: string[]): number {
  let hash = pieces.length
  for (const piece of pieces) hash = (Math.imul(hash, 31) + piece.length) | 0
  return hash
}

function areEqual(a: string[], b: string[]): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return a.length === b.length
}
