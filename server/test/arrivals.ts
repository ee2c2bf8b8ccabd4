/** The items that have arrived at a local server, in order, and a way to wait for them. */
export class Arrivals<Item> {
  readonly #items: Item[] = []
  readonly #waiting = new Set<() => void>()

  add(item: Item): void {
    this.#items.push(item)
    for (const wake of this.#waiting) wake()
  }

  all(): Item[] {
    return [...this.#items]
  }

  /** Resolves with the first `count` items once that many have arrived; rejects after `timeoutMs`. */
  first(count: number, timeoutMs = 10_000): Promise<Item[]> {
    return new Promise((resolve, reject) => {
      const wake = () => {
        if (this.#items.length >= count) settle(() => resolve(this.#items.slice(0, count)))
      }
      const timer = setTimeout(() => {
        settle(() => reject(new Error(`${this.#items.length} of ${count} arrived within ${timeoutMs} ms`)))
      }, timeoutMs)
      const settle = (finish: () => void) => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        finish()
      }
      this.#waiting.add(wake)
      wake()
    })
  }
}
