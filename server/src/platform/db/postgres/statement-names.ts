import type { Sql } from '../db.ts'

const MAX_NAMES = 500

/** The text of a statement, and the name under which connections prepare it; without a name it is not prepared. */
export interface NamedText {
  text: string
  name: string | undefined
}

/** The statements that begin with the same pieces. */
interface Node {
  after: Map<string, Node>
  /** Of the statement that ends here. */
  named?: NamedText
}

/**
 * Statements are prepared once per connection, under a name that stands for their text, and stay prepared as long as
 * the connection. Callers influence some of the texts, so past a limit statements are not prepared. The workers'
 * statements outside of transactions have connections of their own, so callers cannot use up their names.
 *
 * A statement is found by its pieces, the strings between its parameters. Most are constants, whose hashes the process
 * knows; a text that was just joined would be copied and hashed as a whole, several times.
 */
export class StatementNames {
  readonly #root: Node = { after: new Map() }
  #count = 0

  of(statement: Sql): NamedText {
    const node = this.#find(statement.strings)
    if (!node) return { text: statement.text, name: undefined }
    node.named ??= { text: statement.text, name: `s${this.#count++}` }
    return node.named
  }

  /** Undefined for an unknown statement past the limit. */
  #find(pieces: string[]): Node | undefined {
    let node: Node | undefined = this.#root
    for (const piece of pieces) {
      const next: Node | undefined = node.after.get(piece)
      node = next ?? this.#add(node, piece)
      if (!node) return undefined
    }
    return node.named || this.#count < MAX_NAMES ? node : undefined
  }

  #add(node: Node, piece: string): Node | undefined {
    if (this.#count >= MAX_NAMES) return undefined
    const added: Node = { after: new Map() }
    node.after.set(piece, added)
    return added
  }
}
