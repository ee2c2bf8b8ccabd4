import { groupBy } from '../../../platform/bulk.ts'

/**
 * Returns a function that puts `instead` in the place of these names in a text, where they are not part of a longer
 * word. Of names that overlap, the one that begins first goes, and of those that begin together the longest. It goes
 * through a text once, however many names there are.
 */
export function nameReplacer(names: ReadonlySet<string>, instead: string): (text: string) => string {
  const alike = [...groupBy(names, startOf)]
  const lengths = new Map(alike.map(([start, each]) => [start, lengthsOf(each)] as const))

  function nameAt(text: string, at: number): string | undefined {
    for (const width of [START, 1]) {
      for (const length of lengths.get(text.slice(at, at + width)) ?? []) {
        const name = text.slice(at, at + length)
        if (names.has(name) && isWholeAt(text, at, name)) return name
      }
    }
    return undefined
  }

  return (text) => {
    const pieces: string[] = []
    let start = 0
    for (let at = 0; at < text.length; ) {
      const name = nameAt(text, at)
      at += name?.length ?? 1
      if (name === undefined) continue
      pieces.push(text.slice(start, at - name.length))
      start = at
    }
    return [...pieces, text.slice(start)].join(instead)
  }
}

/** So many of its first characters lead to a name; shorter names have one. */
const START = 2

const startOf = (name: string) => name.slice(0, START)

/** The lengths that names have, the longest first. */
const lengthsOf = (names: string[]) => [...new Set(names.map((name) => name.length))].sort((a, b) => b - a)

/** Whether the name that begins here is not part of a longer word. */
function isWholeAt(text: string, at: number, name: string): boolean {
  const end = at + name.length
  if (BEGINS_WITH_WORD.test(name) && ENDS_IN_WORD.test(text.slice(Math.max(0, at - 2), at))) return false
  return !(ENDS_IN_WORD.test(name) && BEGINS_WITH_WORD.test(text.slice(end, end + 2)))
}

const ENDS_IN_WORD = /[\p{L}\p{N}]$/u
const BEGINS_WITH_WORD = /^[\p{L}\p{N}]/u
