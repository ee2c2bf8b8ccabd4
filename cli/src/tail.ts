import { setTimeout } from 'node:timers/promises'

/** A page of a list whose newest items come first. */
interface Newest<Item> {
  data: Item[]
  pageToken: string | null
}

interface Tail<Item> {
  /** Lists items, the newest first. */
  list(page: { pageSize: number; pageToken?: string }): Promise<Newest<Item>>
  idOf(item: Item): string
  /** Is called where there are no items yet. */
  onNone(): void
  /** How many of the items there are come first. */
  last: number
  /** Whether to wait for further items, and how long between two looks. */
  follow: boolean
  intervalMs: number
}

const REMEMBERED = 5000

/** The last items of a list, the oldest first, and then each new one as it comes. Nothing comes twice. */
export async function* tail<Item>({ list, idOf, onNone, last, follow, intervalMs }: Tail<Item>): AsyncGenerator<Item> {
  const seen = new Set<string>()
  /** Those that were not taken before, the oldest first. */
  const take = (newestFirst: Item[]) => {
    const taken = newestFirst.toReversed().filter((item) => !seen.has(idOf(item)) && seen.add(idOf(item)))
    for (const id of seen) {
      if (seen.size <= REMEMBERED) break
      seen.delete(id)
    }
    return taken
  }
  // Far more than a look later returns, so that what is deleted meanwhile does not make old items look new.
  const { data } = await list({ pageSize: 1000 })
  if (data.length === 0) onNone()
  const known = take(data)
  yield* known.slice(known.length - Math.min(last, known.length))
  while (follow) {
    await setTimeout(intervalMs)
    yield* take(await unseen(list, (item) => seen.has(idOf(item))))
  }
}

/**
 * The items that have not been seen, the newest first. It looks at whole pages, since an item may be committed after
 * one that is newer.
 */
async function unseen<Item>(list: Tail<Item>['list'], isSeen: (item: Item) => boolean): Promise<Item[]> {
  const items: Item[] = []
  let pageToken: string | null = null
  do {
    const page: Newest<Item> = await list({ pageSize: 100, ...(pageToken !== null && { pageToken }) })
    const added = page.data.filter((item) => !isSeen(item))
    items.push(...added)
    pageToken = added.length < page.data.length ? null : page.pageToken
  } while (pageToken !== null)
  return items
}
