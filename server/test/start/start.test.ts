import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildOnce, ENVIRONMENT, runToEnd, type ServerProcess, startProcess, temporaryDirectory } from '../process.ts'
import { startReceiver } from '../receiver.ts'

const run = promisify(execFile)

// A start takes seconds on a busy machine, and some tests start twice.
vi.setConfig({ testTimeout: 60_000 })
afterAll(() => vi.resetConfig())

let directory: Awaited<ReturnType<typeof temporaryDirectory>>

beforeAll(async () => {
  await buildOnce()
  directory = await temporaryDirectory()
})
afterAll(() => directory.remove())

/** The requests that a greeting has to paste, each from `curl` to the end of its last line. */
const requestsIn = (output: string) => output.match(/curl (?:.*\\\n)*.*/g) ?? []

const paste = async (request = '') => JSON.parse((await run('bash', ['-c', request])).stdout)

const credentialsIn = (output: string) =>
  [...output.matchAll(/^ {2}(?:workspace auth token|auth token) +(\S+)$/gm)].map(([, token]) => token ?? '')

describe('npm start on an empty data directory', () => {
  let server: ServerProcess
  let tokens: string[]

  test('prints the addresses, the credentials of a demo workspace, and requests to paste which work', async () => {
    server = await startProcess({ DATA_DIR: directory.path })
    expect(server.output()).toContain(`${server.url}/reference`)
    tokens = credentialsIn(server.output())
    expect(tokens).toHaveLength(2)
    const [suggest, addUsers, ...others] = requestsIn(server.output())
    expect(others).toEqual([])
    expect(await paste(suggest)).toMatchObject({
      result: { primary: { recommendation: 'reject', uniqueReviewers: 2 } },
    })
    expect(await paste(addUsers)).toMatchObject({ result: { status: 'success', data: { ada: { success: true } } } })
  })

  test('never writes credentials to the log', async () => {
    // A request is logged after its response was sent, so the client may have read the response before.
    await vi.waitFor(() => expect(server.log()).toContain('"operation":"addUsers"'), 30_000)
    for (const token of tokens) expect(server.log()).not.toContain(token)
  })

  test('keeps the directory private and the secret keys readable by their owner alone', async () => {
    expect((await stat(directory.path)).mode & 0o777).toBe(0o700)
    expect((await stat(join(directory.path, 'secret-keys'))).mode & 0o777).toBe(0o600)
  })

  test('refuses a second process on the same directory with a clear message', async () => {
    const { code, log } = await runToEnd({ DATA_DIR: directory.path, PORT: '0' })
    expect(code).toBe(1)
    expect(log).toMatch(/another process has .* open\. Waiting 10 s for its end\./)
    expect(log).toMatch(/is in use by another process, and two would destroy it\. Stop the other one/)
    expect(log).not.toMatch(/\n\s+at /)
  })

  test('stops cleanly on SIGTERM', async () => {
    expect(await server.stop()).toBe(0)
  })

  test.each([
    ['open', {}],
    ['token', { WORKSPACE_CREATE: 'token', OPERATOR_TOKEN: 'operator-token-of-16' }],
  ])(
    'a later start keeps the data and prints no credentials, but a request that works, with WORKSPACE_CREATE=%s',
    async (_, settings) => {
      const later = await startProcess({ DATA_DIR: directory.path, ...settings })
      expect(credentialsIn(later.output())).toEqual([])
      expect((await fetch(`${later.url}/readyz`)).status).toBe(200)
      const command = later.output().slice(later.output().indexOf('curl'))
      for (let time = 1; time <= 2; time++) {
        const { stdout } = await run('bash', ['-c', command], { env: { PATH: process.env.PATH, ...settings } })
        expect(JSON.parse(stdout)).toMatchObject({ result: { status: 'success' } })
      }
      expect(later.output()).toContain('npm run --silent precedent -- credentials')
      await started(later)
      // Only this machine reaches it.
      expect(later.log()).not.toContain('can create workspaces')
      expect(await later.stop()).toBe(0)
    },
  )

  test('a later start prints no request to create a workspace where that is off', async () => {
    const later = await startProcess({ DATA_DIR: directory.path, WORKSPACE_CREATE: 'off' })
    expect(later.output()).toContain('npm run --silent precedent -- credentials')
    expect(later.output()).not.toContain('workspace/create')
    await started(later)
    expect(await later.stop()).toBe(0)
  })
})

/** The last line of a start. Before it, a signal may end the process without a clean stop. */
const started = (server: ServerProcess) => vi.waitFor(() => expect(server.log()).toContain('"msg":"started"'), 30_000)

test('the demo workspace is made although WORKSPACE_CREATE is off', async () => {
  const { path, remove } = await temporaryDirectory()
  const server = await startProcess({ DATA_DIR: path, WORKSPACE_CREATE: 'off' })
  expect(credentialsIn(server.output())).toHaveLength(2)
  await started(server)
  expect(await server.stop()).toBe(0)
  await remove()
})

test('a first start that is stopped while its example is made leaves the whole example', async () => {
  const { path, remove } = await temporaryDirectory()
  const first = await startProcess({ DATA_DIR: path })
  expect(await first.stop()).toBe(0)
  const next = await startProcess({ DATA_DIR: path })
  for (const request of requestsIn(first.output())) {
    expect(await paste(request.replace(first.url, next.url))).toHaveProperty('result')
  }
  const [suggest = ''] = requestsIn(first.output())
  const last = suggest
    .replace(`${first.url}/v2/memory/suggest`, `${next.url}/v2/commentannotations/get`)
    .replace(/-d .*/, `-d '{"data":{"organizationId":"example","annotationIds":["claim-fastest"]}}'`)
  expect(await paste(last)).toMatchObject({ result: { data: [{ status: { id: 'REJECTED' } }] } })
  await started(next)
  expect(await next.stop()).toBe(0)
  await remove()
})

test('a first start sends webhooks while its example is made', async () => {
  const receiver = await startReceiver()
  const { path, remove } = await temporaryDirectory()
  const hold = `--import ${new URL('./held-example.mjs', import.meta.url).href}`
  const server = await startProcess({ DATA_DIR: path, NODE_OPTIONS: `${ENVIRONMENT.NODE_OPTIONS} ${hold}` })
  await vi.waitFor(() => expect(server.log()).toContain('The example is held.'), 30_000)
  const sent = [...server.output().matchAll(/-H '([\w-]+): (\S+)'/g)]
  const headers = Object.fromEntries(sent.map(([, name = '', value = '']) => [name, value]))
  const call = async (operation: string, data: object) => {
    const url = `${server.url}/v2/workspace/${operation}`
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ data }) })).json()
  }
  await call('advancedwebhookconfig/update', { isEnabled: true })
  const made = await call('advancedwebhook/endpoints/create', { url: receiver.url })
  const { result } = made as { result: { data: { id: string } } }
  await call('advancedwebhook/endpoints/test', { endpointId: result.data.id })
  await receiver.next()
  expect(server.log()).not.toContain('"msg":"started"')
  server.child.kill('SIGCONT')
  await started(server)
  expect(await server.stop()).toBe(0)
  await receiver.close()
  await remove()
})

test('a first start goes on when its example is deleted while it is made', async () => {
  const { path, remove } = await temporaryDirectory()
  const server = await startProcess({ DATA_DIR: path })
  const deletion = requestsIn(server.output())[1]
    ?.replace('users/add', 'organizations/delete')
    .replace(/-d '.*'/, `-d '{"data":{"organizationIds":["example"]}}'`)
  expect(await paste(deletion)).toMatchObject({ result: { data: { example: { success: true } } } })
  await started(server)
  expect(await server.stop()).toBe(0)
  await remove()
})

test('a first start that others reach makes no example, and warns that they can create workspaces', async () => {
  const { path, remove } = await temporaryDirectory()
  const server = await startProcess({ DATA_DIR: path, PUBLIC_URL: 'https://reviews.example.com' })
  const requests = requestsIn(server.output())
  expect(requests).toHaveLength(1)
  await started(server)
  expect(
    await paste(requests[0]?.replace('users/add', 'organizations/get').replace(/-d '.*'/, `-d '{"data":{}}'`)),
  ).toMatchObject({
    result: { data: [] },
  })
  expect(server.log()).toContain('Anyone who reaches this service can create workspaces')
  expect(await server.stop()).toBe(0)
  await remove()
})

test('a configuration with faults reports all of them together, without their values', async () => {
  const { code, log } = await runToEnd({ PORT: 'x', ROLE: 'boss', DATABASE_URL: 'mysql://root:hunter2@db/x' })
  expect(code).toBe(1)
  for (const name of ['PORT', 'ROLE', 'DATABASE_URL', 'SECRET_KEYS']) expect(log).toContain(name)
  expect(log).not.toContain('hunter2')
})

test('no accepted request is dropped when SIGTERM arrives', async () => {
  const { path, remove } = await temporaryDirectory()
  const server = await startProcess({ DATA_DIR: path, RATE_LIMIT_WORKSPACE_CREATE: '0' })
  const create = async (i: number) => {
    const response = await fetch(`${server.url}/v2/workspace/create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: { ownerEmail: `drain-${i}@example.com` } }),
    })
    return response.status
  }
  await create(0)
  const inFlight = Array.from({ length: 40 }, (_, i) =>
    create(i + 1).catch((error: Error) => String(error.cause ?? error)),
  )
  // Once the first has its response, the others are in process or in the socket.
  await Promise.race(inFlight)
  const code = server.stop()
  const answers = await Promise.all(inFlight)
  // A connection that was never accepted may be refused; every accepted one gets its response.
  const refused = answers.filter((answer) => answer !== 200)
  expect(refused.filter((answer) => !/ECONNREFUSED|ECONNRESET/.test(String(answer)))).toEqual([])
  expect(answers.filter((answer) => answer === 200).length).toBeGreaterThanOrEqual(1)
  expect(await code).toBe(0)
  await remove()
})
