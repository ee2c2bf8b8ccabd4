import { execFile, execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildOnce, temporaryDirectory } from '../../../server/test/process.ts'
import { precedent } from '../../test/command-line.ts'

const run = promisify(execFile)
const PROGRAM = fileURLToPath(new URL('../../dist/precedent.js', import.meta.url))
const { PATH = '' } = process.env

let directory: Awaited<ReturnType<typeof temporaryDirectory>>

beforeAll(async () => {
  await buildOnce()
  directory = await temporaryDirectory()
  await mkdir(join(directory.path, 'bin'))
  await writeFile(join(directory.path, 'bin/precedent'), `#!/bin/sh\nexec node ${PROGRAM} "$@"\n`, { mode: 0o755 })
  await symlink(process.execPath, join(directory.path, 'bin/node'))
})
afterAll(() => directory.remove())

const complete = async (...words: string[]) =>
  (await precedent(['complete', '--', ...words])).output.split('\n').filter(Boolean)

describe('what may follow', () => {
  test('commands, their second words, operations, and the flags of an operation', async () => {
    expect(await complete('act')).toEqual(['activities'])
    expect(await complete('activities', '')).toEqual(['tail', 'verify', 'export'])
    expect(await complete('call', 'getUsers')).toEqual(['getUsers'])
    expect(await complete('call', 'addUsers', '--org')).toEqual(['--organization-id'])
    expect(await complete('memory', 'search', 'x', '--li')).toEqual(['--limit'])
    expect(await complete('nothing', 'at', 'all')).toEqual([])
    expect(await complete('compl')).toEqual(['completion'])
  })
})

/** The candidates that the real shell gives for a line. */
const ASK: Record<string, (line: string) => string> = {
  bash: (line) =>
    `COMP_WORDS=(${line.replace(/ $/, " ''")}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _precedent; printf '%s\\n' "\${COMPREPLY[@]}"`,
  fish: (line) => `complete -C '${line}'`,
}

describe.each(['bash', 'fish', 'zsh'])('the script for %s', (shell) => {
  const missing = !isInstalled(shell)

  test.skipIf(missing)('is read by the shell without an error', async () => {
    const script = join(directory.path, shell)
    await writeFile(script, (await precedent(['completion', shell])).output)
    await run(shell, ['-n', script])
  })

  test.skipIf(missing || ASK[shell] === undefined)('completes the flags of an operation', async () => {
    const script = join(directory.path, shell)
    await writeFile(script, (await precedent(['completion', shell])).output)
    const asked = `source ${script}; ${ASK[shell]?.('precedent call addUsers --org')}`
    const { stdout } = await run(shell, ['-c', asked], { env: { PATH: `${directory.path}/bin:${PATH}` } })
    expect(stdout.trim()).toBe('--organization-id')
  })
})

test('an unknown shell is an error that names those there are', async () => {
  const { code, errors } = await precedent(['completion', 'tcsh'])
  expect([code, errors]).toEqual([2, expect.stringContaining('bash, zsh or fish')])
})

function isInstalled(shell: string): boolean {
  try {
    execFileSync(shell, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
