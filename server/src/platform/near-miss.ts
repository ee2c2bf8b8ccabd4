/** Of more fields that are unknown, the others are not compared. */
export const MAX_COMPARED = 100

const MAX_LENGTH = 64

/**
 * Returns the candidate that a name is most likely a misspelling of: one that differs in case or separators only, or by
 * at most two edits (one for names of up to five characters). Undefined if there is none.
 */
export function nearMiss(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > MAX_LENGTH) return undefined
  let best: string | undefined
  let fewest = name.length > 5 ? 3 : 2
  for (const candidate of candidates) {
    if (candidate === name) continue
    const isSpelledAlike = plain(candidate) === plain(name)
    // Names are at least as many edits apart as their lengths differ.
    if (!isSpelledAlike && Math.abs(candidate.length - name.length) >= fewest) continue
    const edits = isSpelledAlike ? 0 : editsBetween(name, candidate)
    if (edits < fewest) [best, fewest] = [candidate, edits]
  }
  return best
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[-_]/g, '')

/** How many letters must be added, dropped, replaced or swapped with a neighbour (optimal string alignment). */
export function editsBetween(one: string, other: string): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = at(row, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const swapped = isSwap ? at(before, j - 2) + 1 : replaced
      next.push(Math.min(replaced, swapped, at(row, j) + 1, at(next, j - 1) + 1))
    }
    ;[before, row] = [row, next]
  }
  return at(row, other.length)
}

const at = (row: number[], index: number) => row[index] ?? Number.POSITIVE_INFINITY
