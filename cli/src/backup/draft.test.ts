import { once } from 'node:events'
import { watch } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../../server/test/process.ts'
import { openDraft } from './draft.ts'

async function folder() {
  const { path, remove } = await temporaryDirectory()
  onTestFinished(remove)
  return path
}

async function written(file: string, owner: string) {
  const draft = await openDraft(file, owner)
  draft.stream.end(owner)
  await once(draft.stream, 'close')
  return draft
}

test('of drafts that take one name at the same moment, one gets it, and the others are told', async () => {
  const path = await folder()
  const owners = ['a', 'b', 'c', 'd']
  const drafts = await Promise.all(owners.map((owner) => written(join(path, 'backup'), owner)))
  const ends = await Promise.allSettled(drafts.map(({ finish }) => finish()))
  const winners = owners.filter((_, i) => ends[i]?.status === 'fulfilled')
  expect(winners).toHaveLength(1)
  expect([await readFile(join(path, 'backup'), 'utf8')]).toEqual(winners)
  for (const end of ends)
    if (end.status === 'rejected')
      expect(end.reason).toMatchObject({ message: expect.stringMatching(/exists already/) })
  await Promise.all(drafts.map(({ discard }) => discard()))
  expect(await readdir(path)).toEqual(['backup'])
})

test.runIf(process.platform === 'linux')('a file appears once, whole, so that a kill leaves no empty one', async () => {
  const path = await folder()
  const draft = await written(join(path, 'backup'), 'a')
  const changes: [string, string | null][] = []
  const watcher = watch(path, (event, name) => void changes.push([event, name]))
  onTestFinished(() => watcher.close())
  await draft.finish()
  await writeFile(join(path, 'last'), '')
  await expect.poll(() => changes.some(([, name]) => name === 'last')).toBe(true)
  expect(changes.filter(([, name]) => name === 'backup')).toEqual([['rename', 'backup']])
  expect(await readFile(join(path, 'backup'), 'utf8')).toBe('a')
})

test('a draft that cannot take its name leaves nothing under it', async () => {
  const path = await folder()
  const draft = await written(join(path, 'backup'), 'a')
  await draft.discard()
  await expect(draft.finish()).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await readdir(path)).toEqual([])
})
