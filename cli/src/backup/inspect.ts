import { Failure } from '../failure.ts'

/** What a backup says of itself. */
export interface Contents {
  /** When it was made, in ISO-8601. */
  at: string
  /** The ids of the master keys that it takes to read the secrets in it. */
  keys: string[]
  rows: number
  /** Bytes of text before they are packed. */
  bytes: number
}

const [NEWLINE, BRACE] = [10, 123]

/**
 * Passes the lines of a backup on and finds out what it is. Rejects unless it is whole: its last line counts its rows.
 * `show` is told the share that has passed, or the amount if the whole is unknown.
 */
export async function* inspected(
  chunks: AsyncIterable<Uint8Array>,
  show: (done: number | string) => void,
  found: (contents: Contents) => void,
): AsyncGenerator<Uint8Array> {
  let [head, end] = ['', '']
  let [bytes, rows, expected] = [0, 0, 0]
  for await (const chunk of chunks) {
    if (!head.includes('\n')) {
      head += Buffer.from(chunk).toString('latin1')
      expected = expectedOf(head)
    }
    bytes += chunk.length
    rows += rowsIn(chunk, end.endsWith('\n'))
    end = (end + Buffer.from(chunk.subarray(-LONGEST_END)).toString('latin1')).slice(-LONGEST_END)
    show(expected > 0 ? rows / expected : `${(bytes / 1_000_000).toFixed(1)} MB`)
    yield chunk
  }
  const ending = /\n\["end"(?:,(\d+))?\]\n$/.exec(end)
  if (!ending) throw new Failure('The backup is not complete.')
  // An export of v0.1.0 does not count them.
  const announced = Number(ending[1] ?? rows)
  if (announced !== rows) throw new Failure(`The backup announces ${announced} rows and has ${rows}.`)
  found({ ...aboutOf(head), rows, bytes })
}

const LONGEST_END = 64

/** Lines that begin with a brace: all others are marks. */
function rowsIn(chunk: Uint8Array, beginsLine: boolean): number {
  let count = beginsLine && chunk[0] === BRACE ? 1 : 0
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) {
    if (chunk[at + 1] === BRACE) count++
  }
  return count
}

function aboutOf(head: string): { at: string; keys: string[]; rows: number } {
  try {
    const [kind, about] = JSON.parse(head.slice(0, head.indexOf('\n')))
    if (kind === 'about') return about
    // An export of v0.1.0.
    if (kind === 'migrations') return { at: 'an unknown time', keys: ['of that time'], rows: 0 }
  } catch {
    // Anything else is no backup either.
  }
  throw new Failure('This is no backup of Precedent.')
}

function expectedOf(head: string): number {
  return head.includes('\n') ? aboutOf(head).rows : 0
}
