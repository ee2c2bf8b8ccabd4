import { MOST_CHARACTERS, ReadingError } from './reading.ts'

/** Collects the lines of a Markdown text, and refuses more text than a source may hold. */
export class Lines {
  readonly #lines: string[] = []
  #characters = 0

  add(line: string): void {
    this.#characters += line.length + 1
    if (this.#characters > MOST_CHARACTERS) throw new ReadingError('file-too-large')
    this.#lines.push(line)
  }

  /** Adds a table: each row below the header becomes a list item that names its columns. */
  addTable(rows: string[][]): void {
    const [header = [], ...body] = rows.map((row) => row.map(oneLine))
    if (body.length === 0) this.#addRow([], header)
    for (const row of body) this.#addRow(header, row)
  }

  #addRow(header: string[], row: string[]): void {
    const cells = row.flatMap((value, column) => (value === '' ? [] : [{ value, name: header[column] ?? '' }]))
    const text =
      cells.length === 1
        ? cells[0]?.value
        : cells.map(({ name, value }) => (name ? `${name}: ${value}` : value)).join('; ')
    if (text) this.add(`- ${text}`)
  }

  toString(): string {
    return this.#lines.join('\n')
  }
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
