import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildOnce, temporaryDirectory } from '../../../server/test/process.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../server/test/running-service.ts'
import { precedent } from '../../test/command-line.ts'

let service: Service
let ws: TestWorkspace
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let env: Record<string, string>

beforeAll(async () => {
  await buildOnce()
  service = await startService()
})
beforeEach(async () => {
  directory = await temporaryDirectory()
  env = { XDG_CONFIG_HOME: directory.path }
  ws = await newWorkspace(service)
})
afterEach(() => directory.remove())

const tokenOf = ({ keyHeaders }: TestWorkspace) => keyHeaders['x-service-auth-token'] ?? ''
const add = (name: string, of = ws) =>
  precedent(['profile', 'add', name, '--url', service.url, '--api-key', of.apiKey], env, `${tokenOf(of)}\n`)

test('a stored profile is used from then on, and only its owner may read the file', async () => {
  expect(await add('test')).toMatchObject({ code: 0, output: '' })
  expect((await precedent(['call', 'getOrganizations'], env)).code).toBe(0)
  const { mode } = await stat(join(directory.path, 'precedent/profiles.json'))
  expect(mode & 0o777).toBe(0o600)
})

test('several servers: --profile and PRECEDENT_PROFILE name one, `use` makes one current', async () => {
  const other = await newWorkspace(service)
  await add('first')
  await add('second', other)
  const keyOf = async (args: string[], more = {}) =>
    JSON.parse((await precedent(['profile', 'show', '--json', ...args], { ...env, ...more })).output).apiKey
  expect(await keyOf([])).toBe(other.apiKey)
  expect(await keyOf(['--profile', 'first'])).toBe(ws.apiKey)
  expect(await keyOf([], { PRECEDENT_PROFILE: 'first' })).toBe(ws.apiKey)
  await precedent(['profile', 'use', 'first'], env)
  expect(await keyOf([])).toBe(ws.apiKey)
  const list = await precedent(['profile', 'list'], env)
  expect(list.output).toMatch(/^\* first .*\n {2}second /)
})

test('the environment comes before the current profile, and its credentials do not mix with it', async () => {
  await add('test')
  const shown = await precedent(['profile', 'show', '--json'], { ...env, PRECEDENT_URL: 'http://127.0.0.1:2' })
  expect(JSON.parse(shown.output)).toEqual({ source: 'the environment', url: 'http://127.0.0.1:2' })
})

test('the credentials of a profile go to its own server only', async () => {
  await add('test')
  const shown = await precedent(['profile', 'show', '--json', '--server', 'http://127.0.0.1:2'], env)
  expect(JSON.parse(shown.output)).toEqual({ source: '--server', url: 'http://127.0.0.1:2' })
  const both = await precedent(['profile', 'show', '--profile', 'test', '--server', 'http://127.0.0.1:2'], env)
  expect([both.code, both.errors]).toEqual([1, expect.stringContaining('exclude each other')])
})

test('no command shows a token', async () => {
  const added = await add('test')
  const runs = [added, await precedent(['profile', 'show'], env), await precedent(['profile', 'list'], env)]
  for (const { output, errors } of runs) expect(output + errors).not.toContain(tokenOf(ws))
})

test('a removed profile is gone with its credentials', async () => {
  await add('test')
  expect((await precedent(['profile', 'remove', 'test'], env)).code).toBe(0)
  const used = await precedent(['call', 'getOrganizations', '--profile', 'test'], env)
  expect([used.code, used.errors]).toEqual([1, expect.stringContaining('There is no profile test.')])
})

test.each([
  [
    '--url',
    ['profile', 'add', 'x', '--url', 'ftp://x'],
    '--url takes the address of a server: ftp://x is no http or https address.',
  ],
  ['a password', ['profile', 'add', 'x', '--url', 'http://ada:hunter2@x'], 'has no user name and no password.'],
  ['its name', ['profile', 'add', '__proto__'], 'A name has letters'],
  ['an argument', ['profile', 'add'], '<name> is missing'],
])('a profile with a faulty or missing part (%s) is refused', async (_, args, message) => {
  const { code, errors } = await precedent(args, env)
  expect([code, errors]).toEqual([2, expect.stringContaining(message)])
})

test('a missing token is an error that stores nothing', async () => {
  const added = await precedent(['profile', 'add', 'x', '--api-key', 'k'], env, '')
  expect([added.code, added.errors]).toEqual([1, expect.stringContaining('Auth token of the API key is missing')])
  expect((await precedent(['profile', 'list'], env)).output).toBe('')
})
