import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { buildOnce, temporaryDirectory } from '../../server/test/process.ts'
import { startPrecedent } from '../test/command-line.ts'
import { programPath } from './server-program.ts'

beforeAll(() => buildOnce(), 120_000)

test('a server whose starter is gone before it serves ends too', async () => {
  const { path, remove } = await temporaryDirectory()
  onTestFinished(remove)
  const env = { ...process.env, DATA_DIR: path, PORT: '0' }
  const server = spawn(process.execPath, [programPath('main'), '--with-starter'], { env, stdio: 'ignore' })
  onTestFinished(() => void server.kill('SIGKILL'))
  const [code] = await once(server, 'exit')
  expect(code).toBe(0)
}, 60_000)

test('a server ends when the command that started it is killed', async () => {
  const { path, remove } = await temporaryDirectory()
  onTestFinished(remove)
  const server = startPrecedent(['serve'], { DATA_DIR: path, PORT: '0' })
  const url = await vi.waitFor(() => {
    const [, found] = /ready at (http:\S+)/.exec(server.output()) ?? []
    if (found === undefined) throw new Error(server.errors())
    return found
  }, 60_000)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  server.kill()
  await vi.waitFor(() => expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed'), 20_000)
  // Whoever starts it again finds the data free.
  const next = startPrecedent(['serve'], { DATA_DIR: path, PORT: '0' })
  await vi.waitFor(() => expect(next.output() + next.errors()).toContain('ready at'), 60_000)
  next.interrupt()
  expect((await next.ended).code).toBe(0)
}, 120_000)
