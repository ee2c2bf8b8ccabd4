interface Caller<Request, Result> {
  request: Request
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Coalesces concurrent requests for the same key: one read serves up to `most` of them, each by the result at its
 * position. A call made while a read runs is served by the next read, because the running one may have missed what was
 * committed since it began.
 */
export function coalesceReads<Request, Result>(
  read: (key: string, requests: Request[]) => Promise<Result[]>,
  most = Number.POSITIVE_INFINITY,
): (key: string, request: Request) => Promise<Result> {
  /** The keys that are being read, each with the callers that wait for its next read. */
  const waiting = new Map<string, Caller<Request, Result>[]>()

  async function answer(key: string, callers: Caller<Request, Result>[]): Promise<void> {
    try {
      const results = await read(
        key,
        callers.map(({ request }) => request),
      )
      for (const [position, { resolve }] of callers.entries()) resolve(results[position] as Result)
    } catch (error) {
      for (const { reject } of callers) reject(error)
    }
  }

  async function answerAll(key: string, callers: Caller<Request, Result>[]): Promise<void> {
    while (callers.length > 0) await answer(key, callers.splice(0, most))
    waiting.delete(key)
  }

  return (key, request) =>
    new Promise((resolve, reject) => {
      const caller = { request, resolve, reject }
      const callers = waiting.get(key)
      if (callers) {
        callers.push(caller)
        return
      }
      const first = [caller]
      waiting.set(key, first)
      void answerAll(key, first)
    })
}
