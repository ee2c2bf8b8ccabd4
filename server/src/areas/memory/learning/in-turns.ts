import { restAfter } from '../../../platform/turns/yield.ts'

/** As long as a computation may hold the event loop. */
export const TURN_MS = 10

/** Runs a computation in short turns, with rests between them. */
export async function* inTurns<Result>(steps: Generator<void, Result>): AsyncGenerator<void, Result> {
  for (let since = performance.now(); ; ) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - since < TURN_MS) continue
    await restAfter(since)
    since = performance.now()
    yield
  }
}

/** The same for a caller who waits for the end. */
export async function atRest<Result>(steps: Generator<void, Result>): Promise<Result> {
  const turns = inTurns(steps)
  for (;;) {
    const turn = await turns.next()
    if (turn.done) return turn.value
  }
}
