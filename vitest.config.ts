import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const startsService = /^(import|\}) .*\/running-service\.ts'$/m

// Every test runs on the embedded database. On native PostgreSQL run those that can tell the difference: the tests of
// the areas and whatever starts the service (imports server/test/running-service.ts), so a new one cannot be forgotten.
function testsOfTheService(): string[] {
  return readdirSync(join(import.meta.dirname, 'server'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map((file) => join('server', file))
    .filter(
      (file) =>
        /^server\/(src\/areas|test\/faults)\//.test(file) ||
        startsService.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
    )
}

const exclude = ['**/node_modules/**', '**/dist/**']

export default defineConfig({
  test: {
    isolate: false,
    pool: 'threads',
    maxWorkers: 2,
    // A busy machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    passWithNoTests: false,
    setupFiles: ['server/test/lifetime/each-file.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'embedded',
          env: { TEST_DATABASE: 'embedded' },
          include: ['server', 'client', 'cli', 'mcp', 'console', 'bench'].map((folder) => `${folder}/**/*.test.ts`),
          exclude,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          env: { TEST_DATABASE: 'postgres' },
          include: testsOfTheService(),
          exclude: [
            ...exclude,
            'server/src/platform/db/embedded*.test.ts',
            // Minutes of parsing, which no database takes part in.
            'server/test/operations/large-bodies.test.ts',
          ],
          globalSetup: 'server/test/postgres-setup.ts',
        },
      },
    ],
  },
})
