/** Rings once. */
export class Wakeup {
  readonly rung: Promise<void>
  readonly #resolve: () => void
  #timer: NodeJS.Timeout | undefined
  #ringsAt = Number.POSITIVE_INFINITY

  constructor() {
    let resolve = () => {}
    this.rung = new Promise((rung) => {
      resolve = rung
    })
    this.#resolve = resolve
  }

  ring(): void {
    clearTimeout(this.#timer)
    this.#ringsAt = Number.NEGATIVE_INFINITY
    this.#resolve()
  }

  /** Rings after so many milliseconds unless it does before: there is one timer for all that ask, set to the earliest. */
  ringIn(inMs: number): void {
    const at = performance.now() + inMs
    if (at >= this.#ringsAt) return
    clearTimeout(this.#timer)
    this.#ringsAt = at
    if (inMs <= 0) this.ring()
    else this.#timer = setTimeout(() => this.ring(), inMs)
  }
}
