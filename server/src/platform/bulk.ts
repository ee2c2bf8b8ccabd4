/** The items by id: one per distinct id, the last occurrence, in the order of the first. */
export function lastById<Item>(items: readonly Item[], id: (item: Item) => string): Map<string, Item> {
  return new Map(items.map((item) => [id(item), item]))
}

/** The custom metadata of an item: its fields that have no meaning of their own. */
export function metadataOf(item: object, known: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).filter(([key]) => !known.includes(key)))
}

/** The answer of a bulk operation: one result per id, in the order of the ids. */
export function resultsOf<Result>(ids: Iterable<string>, result: (id: string) => Result): Record<string, Result> {
  return Object.fromEntries([...ids].map((id) => [id, result(id)]))
}
/** The rows by a key of theirs, in their order. */
export function groupedBy<Key, Row>(rows: Iterable<Row>, keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group) group.push(row)
    else groups.set(keyOf(row), [row])
  }
  return groups
}

/** The rows by the key of their thread, in their order. */
export const byThread = <Row extends { key: string }>(rows: Row[]): Map<string, Row[]> =>
  groupedBy(rows, ({ key }) => key)
