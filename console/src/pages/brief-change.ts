/** The fields by which a record is told in a word: a status by its name, a suggestion by its state. */
const TELLING = ['name', 'status']

interface Change {
  from?: unknown
  to?: unknown
}

/** A change of a record in the words that tell it; the whole change where none does. */
export function briefChange({ from, to }: Change): Change {
  for (const field of TELLING) {
    const brief = { from: wordOf(from, field), to: wordOf(to, field) }
    const isTold = Object.values(brief).every((word) => word !== undefined)
    if (isTold && brief.from !== brief.to) return brief
  }
  return { from, to }
}

/** The word in this field of a record, null for no record, undefined for anything else. */
function wordOf(record: unknown, field: string): string | null | undefined {
  if (record === undefined || record === null) return null
  if (typeof record !== 'object' || !(field in record)) return undefined
  const word = record[field as keyof typeof record] as unknown
  return typeof word === 'string' && word !== '' ? word : undefined
}
