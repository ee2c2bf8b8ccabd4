/** Compares what was read with what was written; the first difference ends the run. */
export interface Expectation {
  /** Objects may have more fields than expected; lists may not have more items. */
  matches(what: string, actual: unknown, expected: unknown): void
  /** The same ids, in any order, each once. */
  sameIds(what: string, actual: Iterable<string>, expected: Iterable<string>): void
  /** The number of comparisons so far. */
  count(): number
}

export function createExpectation(): Expectation {
  let count = 0
  function matches(what: string, actual: unknown, expected: unknown): void {
    count++
    const difference = differenceOf(actual, expected, '')
    if (difference) throw new Error(`${what}${difference}`)
  }
  return {
    matches,
    sameIds: (what, actual, expected) => matches(what, [...actual].sort(), [...expected].sort()),
    count: () => count,
  }
}

function differenceOf(actual: unknown, expected: unknown, path: string): string | undefined {
  if (isObject(expected) && isObject(actual) && Array.isArray(expected) === Array.isArray(actual)) {
    if (Array.isArray(expected) && Array.isArray(actual) && actual.length !== expected.length) {
      return `${path}: ${actual.length} items where ${expected.length} were written`
    }
    return Object.entries(expected)
      .map(([key, value]) => differenceOf(actual[key], value, `${path}.${key}`))
      .find((difference) => difference !== undefined)
  }
  return Object.is(actual, expected)
    ? undefined
    : `${path}: ${JSON.stringify(actual)} where ${JSON.stringify(expected)} was written`
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** All items of a list, read page by page. */
export async function allPages<T>(
  read: (page: { pageSize: number; pageToken?: string }) => Promise<{ data: T[]; next: string | null }>,
  pageSize: number,
): Promise<T[]> {
  const items: T[] = []
  let next: string | null = null
  do {
    const page = await read({ pageSize, ...(next !== null && { pageToken: next }) })
    if (page.data.length > pageSize)
      throw new Error(`A page of ${page.data.length} items where ${pageSize} were asked for.`)
    items.push(...page.data)
    next = page.next
  } while (next !== null)
  return items
}
