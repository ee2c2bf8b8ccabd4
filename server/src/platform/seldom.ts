const EVERY_MS = 60_000

/** How many kinds of failures are kept apart in a minute; what else fails is one more. */
const MOST_KINDS = 5

interface Options {
  now?: () => number
  /** Names the kind of a failure. Without it all are of one. */
  kindOf?: (error: unknown) => string
}

/**
 * Returns a function that tells of failures that come again and again: of the first of a kind at once, and then once a
 * minute how many of it there were since.
 */
export function seldom(
  tell: (error: unknown, failures: number, about: object) => void,
  { now = () => performance.now(), kindOf = () => ONE }: Options = {},
): (error: unknown, about?: object) => void {
  // How many of each kind were not told: since the last minute began, and in the one before.
  let untold = new Map<string, number>()
  let untoldBefore = untold
  let quietUntil = Number.NEGATIVE_INFINITY
  return (error, about = {}) => {
    if (now() >= quietUntil) {
      untoldBefore = untold
      untold = new Map()
      quietUntil = now() + EVERY_MS
    }
    const name = kindOf(error)
    const kind = untold.has(name) || untold.size < MOST_KINDS ? name : OTHERS
    const others = untold.get(kind)
    untold.set(kind, others === undefined ? 0 : others + 1)
    if (others === undefined) tell(error, 1 + (untoldBefore.get(kind) ?? 0), about)
  }
}

/** Kinds of failures by their messages. Numbers in them, such as times, make no other kind. */
export const BY_MESSAGE = { kindOf: (error: unknown) => String(error).replaceAll(/\d+/g, '') }

const ONE = 'one'
const OTHERS = 'others'
