import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { buildOnce, temporaryDirectory } from '../../../server/test/process.ts'
import { type Service, startConfigured, startService } from '../../../server/test/running-service.ts'
import { precedent } from '../../test/command-line.ts'

const email = () => `${randomUUID()}@example.com`

let service: Service
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let env: Record<string, string>

beforeAll(async () => {
  await buildOnce()
  service = await startService()
})
beforeEach(async () => {
  directory = await temporaryDirectory()
  env = { XDG_CONFIG_HOME: directory.path }
})
afterEach(() => directory.remove())

const create = (server = service.url, more = {}) =>
  precedent(['workspace', 'create', 'mine', '--owner-email', email(), '--server', server], {
    ...env,
    ...more,
  })

test('a new workspace is usable at once: its credentials are the current profile and are not shown', async () => {
  const created = await create()
  expect(created).toMatchObject({ code: 0 })
  const shown = await precedent(['workspace', 'show'], env)
  expect(JSON.parse(shown.output)).toMatchObject({ owner: { email: expect.stringContaining('@example.com') } })
  expect(shown.output).not.toContain('authToken')
  expect((await precedent(['call', 'getOrganizations'], env)).code).toBe(0)
})

test('keys create adds a key with a profile of its own, and keys list shows both', async () => {
  await create()
  const args = ['keys', 'create', 'second', '--owner-email', email(), '--name', 'Second']
  const created = await precedent(args, env)
  expect(created).toMatchObject({ code: 0, errors: expect.stringContaining('second') })
  const { output } = await precedent(['keys', 'list'], env)
  expect(output.trim().split('\n')).toHaveLength(2)
  expect(output).toContain(`${created.output.trim()}  testing  Second`)
  expect((await precedent(['call', 'getOrganizations', '--profile', 'second'], env)).code).toBe(0)
  const third = await precedent(['keys', 'create', 'third', '--owner-email', email()], env)
  expect((await precedent(['keys', 'list'], env)).output).toContain(`${third.output.trim()}  testing  third\n`)
})

test('nothing is created whose credentials could not be stored', async () => {
  const file = join(directory.path, 'precedent/profiles.json')
  await mkdir(dirname(file))
  await writeFile(file, '{')
  const ownerEmail = email()
  const by = (name: string) =>
    precedent(['workspace', 'create', name, '--owner-email', ownerEmail, '--server', service.url], env)
  expect(await by('mine')).toMatchObject({ code: 1, errors: expect.stringContaining('cannot be read') })
  await rm(file)
  expect(await by('no name')).toMatchObject({ code: 2, errors: expect.stringContaining('A name has letters') })
  expect(await by('mine')).toMatchObject({ code: 0 })
  expect(await by('again')).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/name another by --owner-email\.\n$/),
  })
  const key = (name: string) => precedent(['keys', 'create', name, '--owner-email', ownerEmail], env)
  expect(await key('no name')).toMatchObject({ code: 2 })
  // Its credentials would be lost.
  expect(await key('mine')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('There is a profile mine already.'),
  })
  expect((await precedent(['keys', 'list'], env)).output.trim().split('\n')).toHaveLength(1)
})

test('where only the operator creates workspaces, PRECEDENT_OPERATOR_TOKEN is sent', async () => {
  const token = 'operator-token-of-the-test'
  const closed = await startConfigured({ WORKSPACE_CREATE: 'token', OPERATOR_TOKEN: token })
  onTestFinished(() => closed.app.http.close())
  const { code, errors } = await create(closed.url)
  expect([code, errors]).toEqual([1, expect.stringContaining('Set PRECEDENT_OPERATOR_TOKEN')])
  expect(await create(closed.url, { PRECEDENT_OPERATOR_TOKEN: token })).toMatchObject({
    code: 0,
    errors: expect.stringContaining('mine'),
  })
})

test.each([['workspace'], ['keys']])('%s create says that the owner is missing', async (noun) => {
  const { code, errors } = await precedent([noun, 'create', 'mine', '--server', service.url], env)
  expect([code, errors]).toEqual([2, expect.stringContaining('--owner-email is missing.')])
})

test('without a workspace the next step is named', async () => {
  const { code, errors } = await precedent(['keys', 'list'], env)
  expect([code, errors]).toEqual([1, expect.stringContaining('--workspace-id')])
})
