/** Within this many milliseconds other calls join a check of credentials: it is one statement for all of them. */
const JOINING_MS = 20

type Begin = () => void

interface Owner {
  waiting: Begin[]
  /** What it has taken, in milliseconds, since somebody waits. */
  used: number
}

/**
 * Those who wait for something that one has at a time. The turn goes to the owner who has taken the least time, so that
 * one who takes much holds up no other; of an owner, the first comes first. Who begins to wait counts as if they had
 * taken as much as the one before: nobody saves time up. (Start-time fair queueing.) What has no owner is for all: it
 * goes before the others as soon as it has waited for a moment.
 */
export class TurnQueue {
  readonly #now: () => number
  readonly #ownerless: { begin: Begin; since: number }[] = []
  readonly #owners = new Map<string, Owner>()
  /** What the owner of the last turn had taken before it. */
  #least = 0
  #length = 0

  constructor(now = () => performance.now()) {
    this.#now = now
  }

  get length(): number {
    return this.#length
  }

  /** Lets somebody wait. The owner null is for what has none. */
  push(owner: string | null, begin: Begin): void {
    this.#length += 1
    if (owner === null) this.#ownerless.push({ begin, since: this.#now() })
    else this.#ownerOf(owner).waiting.push(begin)
  }

  /** Takes out who is next; undefined if nobody waits. */
  shift(): Begin | undefined {
    if (this.#length === 0) {
      this.#owners.clear()
      this.#least = 0
      return undefined
    }
    this.#length -= 1
    const [first] = this.#ownerless
    const isDue = first !== undefined && this.#now() - first.since >= JOINING_MS
    return (isDue ? undefined : this.#shiftOwner()) ?? this.#ownerless.shift()?.begin
  }

  /** Notes how long an owner had its turn. */
  charge(owner: string, ms: number): void {
    this.#ownerOf(owner).used += ms
  }

  #ownerOf(name: string): Owner {
    const owner = this.#owners.get(name) ?? { waiting: [], used: 0 }
    if (owner.waiting.length === 0) owner.used = Math.max(owner.used, this.#least)
    this.#owners.set(name, owner)
    return owner
  }

  #shiftOwner(): Begin | undefined {
    let next: [string, Owner] | undefined
    for (const [name, owner] of this.#owners) {
      if (owner.waiting.length > 0) {
        if (!next || owner.used < next[1].used) next = [name, owner]
      } else if (owner.used <= this.#least) {
        // It would begin at `#least` anyway.
        this.#owners.delete(name)
      }
    }
    if (!next) return undefined
    const [name, owner] = next
    // The last of those who have taken the same.
    this.#owners.delete(name)
    this.#owners.set(name, owner)
    this.#least = owner.used
    return owner.waiting.shift()
  }
}
