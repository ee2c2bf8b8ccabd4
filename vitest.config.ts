import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defineConfig } from 'vitest/config'

const SERVICE = 'server/test/running-service.ts'

// Every test runs on the embedded database. On native PostgreSQL run those that can tell the difference: whatever
// starts the service, itself or by a tool of server/test, so a new one cannot be forgotten.
function testsOfTheService(): string[] {
  return readdirSync(join(import.meta.dirname, 'server'), { recursive: true, encoding: 'utf8' })
    .map((file) => join('server', file))
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules') && startsService(file, new Set()))
}

function startsService(file: string, seen: Set<string>): boolean {
  seen.add(file)
  const imported = readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/^(?:import|\}) .*'(\.[^']+)'$/gm)
  return [...imported]
    .map(([, path = '']) => join(dirname(file), path))
    .some(
      (path) => path === SERVICE || (path.startsWith('server/test/') && !seen.has(path) && startsService(path, seen)),
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
            // Minutes of parsing, and pages in a browser, which no database takes part in.
            'server/test/operations/large-bodies.test.ts',
            'server/src/platform/http/api-reference.test.ts',
          ],
          globalSetup: 'server/test/postgres-setup.ts',
        },
      },
    ],
  },
})
