import type { CallOptions } from './call-options.ts'

/** An operation that returns its records a page at a time. */
export interface PagedOperation<Args extends unknown[], Page> {
  (...args: Args): Promise<Page>
  /**
   * Every page in turn, from the first or from the given token on: `for await (const page of … .pages({ … }))`. It asks
   * for a page only when the one before has been taken.
   */
  pages(...args: Args): AsyncGenerator<Page, void, undefined>
}

/** An operation that returns a list, or a map by document id where `groupByDocumentId` is true. */
export type GroupingOperation<Data, List extends Records, Groups extends Records> = PagedOperation<
  Grouped<Data, false>,
  List
> &
  PagedOperation<[data: Data & { groupByDocumentId: true }, options?: CallOptions], Groups> &
  PagedOperation<Grouped<Data, boolean>, Omit<List, 'data'> & { data: (List | Groups)['data'] }>

interface Records {
  data: unknown
}

type Grouped<Data, Value> = [data: Data & { groupByDocumentId?: Value | undefined }, options?: CallOptions]

/** The key of a page that holds the token of the next one. */
export type PageKey = 'pageToken' | 'nextPageToken' | 'iterator'

type Result = { [Key in PageKey]?: string | null } & { data: { iterator?: string | null } }

/** Calls with the token of each page until there is none. Throws where a page names itself as the next one. */
export async function* pages(
  key: PageKey,
  call: (data: object) => Promise<unknown>,
  data: object,
): AsyncGenerator<unknown, void, undefined> {
  const field = key === 'iterator' ? 'iterator' : 'pageToken'
  let token = (data as { [Field in typeof field]?: string | null })[field]
  do {
    const page = (await call(token ? { ...data, [field]: token } : data)) as Result
    yield page
    const next = key === 'iterator' ? page.data.iterator : page[key]
    if (next && next === token) throw new Error(`The answer names its own ${field} as that of the next page.`)
    token = next
  } while (token)
}
