import type { Reporter, SerializedError, TestModule } from 'vitest/node'

export type Counts = { passed: number; failed: number; skipped: number }

/** Counts tests. A failure outside of a test, such as a file that does not load or a stray rejection, counts as one. */
function count(modules: readonly TestModule[], strayErrors: readonly SerializedError[]): Counts {
  const counts = { passed: 0, failed: strayErrors.length, skipped: 0 }
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      counts[state === 'pending' ? 'failed' : state] += 1
    }
    counts.failed += module.errors().length
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length
  }
  return counts
}

/** The reporter behind the last line of `npm test`: sends the counts to the process that started vitest. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], strayErrors: readonly SerializedError[]): void {
    process.send?.(count(modules, strayErrors))
  }
}
