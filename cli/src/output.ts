import { once } from 'node:events'

/** Writes to standard output; resolves when more can be written. */
export async function write(text: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

/** Writes a line to standard output. What end users wrote in it cannot steer the terminal. */
export const writeLine = (line: string) => write(`${harmless(line)}\n`)

/** Writes a value as one line of JSON, for programs. It cannot steer a terminal either. */
export const writeJson = (value: unknown) => write(`${harmless(JSON.stringify(value))}\n`)

/** Writes a value as indented JSON, for people. */
export const writePretty = (value: unknown) => write(`${harmless(JSON.stringify(value, null, 2), '\n')}\n`)

/** Tells the person at the terminal something that is no result. */
export function note(line: string): void {
  process.stderr.write(`${harmless(line)}\n`)
}

/** The text with its control and bidirectional characters escaped as JSON does, but for those that are kept. */
export function harmless(text: string, kept = ''): string {
  return text.replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (character) =>
    kept.includes(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Local date and time to the second. */
export function timeOf(epochMs: number): string {
  const date = new Date(epochMs - new Date(epochMs).getTimezoneOffset() * 60_000)
  return date.toISOString().slice(0, 19).replace('T', ' ')
}
