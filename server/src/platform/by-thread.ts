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
