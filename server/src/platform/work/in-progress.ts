/** What a source of work has claimed and left running, so that none of it waits for the slowest. */
export class InProgress<Item> {
  readonly #items = new Map<Promise<void>, Item>()
  #ended = 0

  get size(): number {
    return this.#items.size
  }

  /** The items in the order in which they were added. */
  items(): IterableIterator<Item> {
    return this.#items.values()
  }

  /** Keeps an item while `work`, which must not reject, is under way; then drops it and calls `onEnd`. */
  add(item: Item, work: Promise<void>, onEnd: () => void): void {
    const ended = work.finally(() => {
      this.#items.delete(ended)
      this.#ended++
      onEnd()
    })
    this.#items.set(ended, item)
  }

  /**
   * As `Source.settle`: how many have ended since it was last called; if none has, it waits for one, where there is
   * any.
   */
  async settle(): Promise<number> {
    if (this.#ended === 0 && this.#items.size > 0) await Promise.race(this.#items.keys())
    const ended = this.#ended
    this.#ended = 0
    return ended
  }
}
