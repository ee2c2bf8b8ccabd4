import { t } from '../strings.ts'
import { jsonText } from './text.ts'

interface Piece {
  kind: 'same' | 'del' | 'ins'
  text: string
}

/** Longer texts are shown one after the other instead, because comparing takes the product of their lengths. */
const MOST_WORDS = 600

/** What a text was and is: words that went are struck out, words that came are underlined. */
export function Diff({ before, after }: { before: unknown; after: unknown }) {
  const pieces = compare(textOf(before), textOf(after))
  return (
    <p className="told diff">
      {pieces.map(({ kind, text }, index) => {
        // Pieces never move, so their position names them.
        const key = `${index}`
        if (kind === 'del') return <del key={key}>{text}</del>
        return kind === 'ins' ? <ins key={key}>{text}</ins> : <span key={key}>{text}</span>
      })}
    </p>
  )
}

const textOf = (value: unknown) => (value === undefined || value === null ? '' : jsonText(value))

function compare(before: string, after: string): Piece[] {
  const [old, now] = [before, after].map((text) => text.split(/(?<=\s)|(?=[{}[\],:"])/))
  if (!old || !now) return []
  if (old.length > MOST_WORDS || now.length > MOST_WORDS) return joined([piece('del', before), piece('ins', after)])
  const longest = lengths(old, now)
  const pieces: Piece[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    const [word = '', next = ''] = [old[i], now[j]]
    if (i < old.length && j < now.length && word === next) {
      pieces.push(piece('same', word))
      i += 1
      j += 1
    } else if (j >= now.length || (i < old.length && at(longest, i + 1, j) >= at(longest, i, j + 1))) {
      pieces.push(piece('del', word))
      i += 1
    } else {
      pieces.push(piece('ins', next))
      j += 1
    }
  }
  return joined(pieces)
}

const piece = (kind: Piece['kind'], text: string): Piece => ({ kind, text })
const at = (table: number[][], i: number, j: number) => table[i]?.[j] ?? 0

/** The length of the longest common run of words from each pair of positions on. */
function lengths(old: string[], now: string[]): number[][] {
  const table: number[][] = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0))
  for (let i = old.length - 1; i >= 0; i--) {
    const row = table[i] ?? []
    for (let j = now.length - 1; j >= 0; j--) {
      row[j] = old[i] === now[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1))
    }
  }
  return table
}

/** Neighbours of one kind as one piece. */
function joined(pieces: Piece[]): Piece[] {
  const result: Piece[] = []
  for (const each of pieces) {
    const last = result.at(-1)
    if (last?.kind === each.kind) last.text += each.text
    else if (each.text !== '') result.push({ ...each })
  }
  return result.length > 0 ? result : [piece('same', t.none)]
}
