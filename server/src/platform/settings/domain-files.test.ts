import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { configFaults } from '../../../test/start/config-faults.ts'
import { readConfig } from '../config.ts'

async function fileOf(text: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'domain-files-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const path = join(directory, 'Domains.txt')
  await writeFile(path, text)
  return path
}

test('disposable domains may stand in a file', async () => {
  const path = await fileOf('# one per line\nTrash.example\n\nbin.example # a remark\r\nA.example, b.example\n')
  const config = readConfig({ DISPOSABLE_DOMAINS: `First.example,${path}`, DISPOSABLE_DOMAINS_ALLOW: path })
  const ofFile = ['trash.example', 'bin.example', 'a.example', 'b.example']
  expect(config.disposableDomains).toEqual(['first.example', ...ofFile])
  expect(config.disposableDomainsAllow).toEqual(ofFile)
})

test('what is wrong in a file is named with its line', async () => {
  const path = await fileOf('# one per line\ntrash.example\nAda@bin.example\n\ngood.example, bad/, worse/\n')
  expect(configFaults({ DISPOSABLE_DOMAINS: path })).toBe(
    `The configuration is not valid:
  DISPOSABLE_DOMAINS names ${path}, whose line 3 holds what is no domain name
  DISPOSABLE_DOMAINS names ${path}, whose line 5 holds what is no domain name`,
  )
})

test('an entry behind a file is named by its place in the list, not by the lines of the file', async () => {
  const path = await fileOf('a.example\nb.example\nc.example\n')
  expect(configFaults({ DISPOSABLE_DOMAINS: `good.example,${path},,ada@bin.example` })).toBe(
    `The configuration is not valid:
  DISPOSABLE_DOMAINS[2] must be a valid domain name or the path of a readable file`,
  )
})

test('a file of something else is told in a few lines, and nothing of what it holds', async () => {
  const path = await fileOf('a secret\n'.repeat(5_000))
  const [, first, ...others] = configFaults({ DISPOSABLE_DOMAINS: path }).split('\n')
  expect(first).toBe(`  DISPOSABLE_DOMAINS names ${path}, whose line 1 holds what is no domain name`)
  expect(others).toHaveLength(19)
  expect(others.join()).not.toContain('secret')
})
