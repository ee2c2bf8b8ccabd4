import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const program = fileURLToPath(new URL('run.ts', import.meta.url))
const bench = (...args: string[]) => run(process.execPath, ['--import', 'tsx', program, ...args])

test('--help says where the options of a benchmark are', async () => {
  expect((await bench('api', '--help')).stdout).toContain('docs/benchmarks.md')
})

test('an option that a benchmark does not have is named without a stack', async () => {
  const error = await bench('memory-quality', '--date', '.').catch((error) => error)
  expect(error).toMatchObject({ code: 2, stderr: expect.stringContaining("'--date'") })
  expect(error.stderr).not.toContain('    at ')
})
