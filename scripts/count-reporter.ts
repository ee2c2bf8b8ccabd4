import type { Reporter, SerializedError, TestModule } from 'vitest/node'

export type Counts = { passed: number; failed: number; skipped: number }

/** Counts tests, and as one failure each what fails outside of a test: a file that does not load, a stray rejection. */
export function count(modules: readonly TestModule[], strayErrors: readonly SerializedError[]): Counts {
  const figures = { passed: 0, failed: strayErrors.length, skipped: 0 }
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      figures[state === 'pending' ? 'failed' : state] += 1
    }
    figures.failed += module.errors().length
    for (const suite of module.children.allSuites()) figures.failed += suite.errors().length
  }
  return figures
}

/** The reporter behind the closing line of `npm test`: hands the figures to the process that started vitest. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], strayErrors: readonly SerializedError[]): void {
    process.send?.(count(modules, strayErrors))
  }
}
