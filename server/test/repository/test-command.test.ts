import { execFile, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { repository } from '../architecture/source.ts'

/** Runs `npm test` on one quick file; without the system's programs no PostgreSQL can run. */
function npmTest(args: string[], env: NodeJS.ProcessEnv): Promise<{ code: number; lastLines: string[] }> {
  return new Promise((resolve) => {
    const environment = { ...process.env, CI: '', TEST_DATABASE_URL: '', NO_COLOR: '1', ...env }
    const command = ['--import', 'tsx', 'scripts/test.ts', ...args]
    execFile(process.execPath, command, { cwd: repository, env: environment }, (error, stdout) => {
      const code = error ? Number(error.code) : 0
      resolve({ code, lastLines: stdout.trimEnd().split('\n').slice(-6) })
    })
  })
}

const quick = 'server/test/receiver.test.ts'
const noPostgres = { PATH: '/nowhere' }

test('passes its arguments to vitest, and ends with the database it ran on and the counts', async () => {
  const { code, lastLines } = await npmTest([quick, '-t', 'redirects'], {})
  expect(lastLines.slice(-2)).toEqual([
    expect.stringMatching(/^Native PostgreSQL: a throwaway PostgreSQL \d+/),
    '1 passed, 0 failed, 5 skipped',
  ])
  expect(code).toBe(0)
})

test('the folder in memory for temporary files goes with whoever made it, killed or not', async ({ skip }) => {
  const program = `import { memoryFolder } from './scripts/memory-folder.ts'
    console.log(String(memoryFolder()))
    setInterval(() => {}, 1000)`
  const command = ['--import', 'tsx', '--input-type=module', '-e', program]
  const maker = spawn(process.execPath, command, { cwd: repository, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void maker.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: maker.stdout }), 'line')
  skip(line === 'undefined', 'This machine has not enough memory for it.')
  await writeFile(join(line, 'file'), '')
  maker.kill('SIGKILL')
  await expect.poll(() => existsSync(line)).toBe(false)
})

test('says at its end that no native PostgreSQL could run', async () => {
  const { code, lastLines } = await npmTest([quick], noPostgres)
  expect(lastLines).toContain('NOT RUN on native PostgreSQL:')
  expect(lastLines.at(-1)).toBe('6 passed, 0 failed')
  expect(code).toBe(0)
})

test('fails with CI=true when no native PostgreSQL could run', async () => {
  const { code, lastLines } = await npmTest([quick], { ...noPostgres, CI: 'true' })
  expect(lastLines).toContain('NOT RUN on native PostgreSQL:')
  expect(code).toBe(1)
})

test('fails when no test was found', async () => {
  const { code, lastLines } = await npmTest(['server/no-such-file'], noPostgres)
  expect(lastLines.at(-1)).toBe('0 passed, 0 failed')
  expect(code).toBe(1)
})

test('counts what fails inside and outside of tests', async () => {
  const directory = await mkdtemp(join(repository, 'node_modules', '.counts-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const files = {
    'a.test.js': `
      test('passes', () => {})
      test('fails', () => { throw new Error('in a test') })
      test.skip('skipped', () => {})
      test.todo('to do')`,
    'does-not-load.test.js': "throw new Error('on the way in')",
    'hook.test.js': `
      describe('a group', () => {
        afterAll(() => { throw new Error('on the way out') })
        test('passes', () => {})
      })`,
    'stray.test.js': `
      test('passes', async () => {
        Promise.reject(new Error('nobody waits for this'))
        await new Promise((resolve) => setImmediate(resolve))
      })`,
  }
  await writeFile(join(directory, 'vitest.config.js'), 'export default { test: { globals: true, exclude: [] } }')
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
  const vitest = fork(
    join(repository, 'node_modules/vitest/vitest.mjs'),
    ['run', '--root', directory, `--reporter=${join(repository, 'scripts/count-reporter.ts')}`],
    { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] },
  )
  const [[counts], [code]] = await Promise.all([once(vitest, 'message'), once(vitest, 'exit')])
  expect(counts).toEqual({ passed: 3, failed: 4, skipped: 2 })
  expect(code).toBe(1)
})
