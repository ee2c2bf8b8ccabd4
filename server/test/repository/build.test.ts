import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { repository } from '../architecture/source.ts'

const run = promisify(execFile)

test('builds at the same time do not disturb each other', async () => {
  const builds = Array.from({ length: 4 }, () => run(process.execPath, [join(repository, 'scripts/build.mjs')]))
  await Promise.all(builds)
  const folders = ['server', 'server/dist', 'cli', 'cli/dist']
  const names = await Promise.all(folders.map((folder) => readdir(join(repository, folder))))
  // They leave nothing unfinished behind. Those of other tests may be at work.
  const isTheirs = (name: string) => builds.some(({ child }) => name.endsWith(`.${child.pid}`))
  expect(names.flat().filter(isTheirs)).toEqual([])
})

test('the migrations that are built are those of the sources', async () => {
  const [built, sources] = ['server/dist/migrations', 'server/migrations'].map((folder) =>
    readdir(join(repository, folder)),
  )
  expect(await built).toEqual(await sources)
})
