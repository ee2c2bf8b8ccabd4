import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildOnce, runToEnd, startProcess, temporaryDirectory } from '../process.ts'

let directory: Awaited<ReturnType<typeof temporaryDirectory>>

beforeAll(async () => {
  await buildOnce()
  directory = await temporaryDirectory()
})
afterAll(() => directory.remove())

/** Opens connections, waits until those beyond the limit are closed, and returns how many are left. */
async function hold(url: string, count: number): Promise<number> {
  const sockets = Array.from({ length: count }, () => connect(Number(new URL(url).port), '127.0.0.1'))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (const socket of sockets) socket.on('error', () => {})
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const left = () => sockets.filter(({ destroyed }) => !destroyed).length
  let before = -1
  await expect
    .poll(
      () => {
        const isSettled = before === left()
        before = left()
        return isSettled
      },
      { interval: 500, timeout: 10_000 },
    )
    .toBe(true)
  return left()
}

describe.runIf(process.platform === 'linux')('a process that may have few files open', { timeout: 60_000 }, () => {
  const DATA_DIR = () => join(directory.path, 'data')

  test('does not start with too few, and says how to raise the limit', async () => {
    const { code, log } = await runToEnd({ DATA_DIR: DATA_DIR(), PORT: '0' }, 200)
    expect(code).toBe(1)
    expect(log).toMatch(/^This process may have 200 files open.*needs 244 at least\. Raise the limit: .*LimitNOFILE/)
  })

  test('begins with a new database, and keeps what it needs from callers: connections beyond are closed', async () => {
    const server = await startProcess({ DATA_DIR: DATA_DIR() }, 256)
    expect(server.log()).toContain('so it holds 32 connections open, not CONNECTIONS=10000.')
    expect(await hold(server.url, 300)).toBe(32)
    expect(server.child.exitCode).toBeNull()
    expect(await server.stop()).toBe(0)
  })
})
