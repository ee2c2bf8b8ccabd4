/**
 * Callers that ask for the same key at the same time share one reading. Nobody is answered by a reading that began before
 * the call, as it may have missed what was committed since: those who call while one is under way share the next.
 */
export function sharedReads<Result>(read: (key: string) => Promise<Result>): (key: string) => Promise<Result> {
  const underWay = new Map<string, Promise<Result>>()
  const following = new Map<string, Promise<Result>>()

  function start(key: string): Promise<Result> {
    const reading = read(key).finally(() => underWay.delete(key))
    underWay.set(key, reading)
    return reading
  }

  function follow(key: string, current: Promise<Result>): Promise<Result> {
    const startNext = () => {
      following.delete(key)
      return start(key)
    }
    const next = current.then(startNext, startNext)
    following.set(key, next)
    return next
  }

  return (key) => {
    const current = underWay.get(key)
    if (current === undefined) return start(key)
    return following.get(key) ?? follow(key, current)
  }
}
