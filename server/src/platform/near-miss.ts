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
    if (candidate === name || Math.abs(candidate.length - name.length) >= fewest) continue
    const edits = plain(candidate) === plain(name) ? 0 : distance(name, candidate)
    if (edits < fewest) [best, fewest] = [candidate, edits]
  }
  return best
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[-_]/g, '')

/** The optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const above = rows[i - 1] ?? []
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      const edits = [(above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + cost]
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) edits.push((rows[i - 2]?.[j - 2] ?? 0) + 1)
      row.push(Math.min(...edits))
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}
