/** What has arrived at a local server, in order, and the means to wait for it. */
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

  /** The first `count` to arrive, as soon as there are so many; rejects after `timeoutMs`. */
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
