interface Caller<Request, Result> {
  request: Request
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Those who ask about the same key at the same time are answered by one reading, which answers `most` requests, each by
 * the result at its position. Nobody is answered by a reading that began before the call, as it may have missed what was
 * committed since: those who call while one is under way are answered by the next.
 */
export function coalesceReads<Request, Result>(
  read: (key: string, requests: Request[]) => Promise<Result[]>,
  most = Number.POSITIVE_INFINITY,
): (key: string, request: Request) => Promise<Result> {
  /** A key is here while it is read, with those who wait for its next reading. */
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
