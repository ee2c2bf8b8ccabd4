const EVERY_MS = 60_000

/**
 * Returns a function that tells of a failure that comes again and again: of the first at once, and then once a minute how
 * many there were since.
 */
export function seldom(
  tell: (error: unknown, failures: number, about: object) => void,
  now = () => performance.now(),
): (error: unknown, about?: object) => void {
  let failures = 0
  let quietUntil = Number.NEGATIVE_INFINITY
  return (error, about = {}) => {
    failures++
    if (now() < quietUntil) return
    quietUntil = now() + EVERY_MS
    tell(error, failures, about)
    failures = 0
  }
}
