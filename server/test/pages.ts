/** A page as list operations return it; the token is null on the last page. */
interface Page<Data> {
  data: Data
  pageToken?: string | null
  nextPageToken?: string | null
}

/** Reads a list page by page to its end. `read` gets what the request adds to ask for the next page. */
export async function* pagesOf<Data>(
  read: (next: { pageToken?: string }) => Promise<Page<Data>>,
): AsyncGenerator<Data, void> {
  let token: string | null | undefined
  do {
    const page = await read(token ? { pageToken: token } : {})
    yield page.data
    token = page.pageToken ?? page.nextPageToken
  } while (token)
}
