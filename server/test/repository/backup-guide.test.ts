import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { repository } from '../architecture/source.ts'
import { freePort } from '../ports/free-port.ts'
import { buildOnce, temporaryDirectory } from '../process.ts'

beforeAll(buildOnce, 120_000)

test('the drill of docs/backup.md, followed word for word in an empty folder, brings the data back', async () => {
  const page = await readFile(join(repository, 'docs/backup.md'), 'utf8')
  const drill = page.slice(page.indexOf('## A drill'), page.indexOf('## With PostgreSQL'))
  const blocks = [...drill.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  expect(blocks.length).toBeGreaterThan(4)
  const { path, remove } = await temporaryDirectory()
  await mkdir(join(path, 'bin'))
  await mkdir(join(path, 'empty'))
  const program = join(path, 'bin/precedent')
  await writeFile(
    program,
    `#!/bin/sh\nexec "${process.execPath}" "${join(repository, 'cli/dist/precedent.js')}" "$@"\n`,
  )
  await chmod(program, 0o755)
  const script = `set -e\ntrap 'kill %1 2>/dev/null || true' EXIT\n${blocks.join('\n')}`.replaceAll(
    '8080',
    String(await freePort()),
  )
  const env = { PATH: `${join(path, 'bin')}:${process.env.PATH}`, HOME: path, XDG_CONFIG_HOME: path }
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: join(path, 'empty'), env })
  expect(stdout).toMatch(/The backup is whole: \d+ rows/)
  expect(stdout).toMatch(/\d+ rows are restored/)
  expect(stdout).toContain('"name": "Ada Lovelace"')
  expect(stdout).not.toContain('FAIL')
  await remove()
}, 300_000)
