import { describe, expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../src/platform/db/postgres.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { freshNativeUrl, newWorkspace, startOn } from '../running-service.ts'

/** Opens the database of an address, with this among its settings. */
async function open(address: string, setting = '') {
  const url = new URL(address)
  if (setting !== '') url.searchParams.set('options', `-c ${setting}`)
  const options = { poolSize: 2, pipeline: true, statementTimeoutMs: 20_000, onError: () => {} }
  const database = await openPostgres({ url: url.href, ...options })
  onTestFinished(() => database.close())
  return database
}

describe.runIf(process.env.TEST_DATABASE === 'postgres')('a process whose database takes no writes', () => {
  test('is not ready, answers reads, and says of a write that it may be tried again', async () => {
    const address = await freshNativeUrl()
    const writable = await open(address)
    await migrate(writable)
    const { keyHeaders } = await newWorkspace(await startOn(writable, {}))
    const service = await startOn(await open(address, 'default_transaction_read_only=on'), {})
    const ready = await fetch(`${service.url}/readyz`)
    expect([ready.status, await ready.json()]).toMatchObject([503, { status: 'database read-only' }])
    const read = await service.call('/v2/organizations/get', {}, keyHeaders)
    expect(read.status).toBe(200)
    const organizations = [{ organizationId: 'acme', organizationName: 'Acme' }]
    const write = await service.call('/v2/organizations/add', { organizations }, keyHeaders)
    expect([write.status, write.headers.get('retry-after')]).toEqual([503, '1'])
    expect(write.body.error).toMatchObject({
      status: 'UNAVAILABLE',
      message: expect.stringContaining('takes no writes'),
    })
  })

  test('finds the one that takes its place at the same address, without a restart and under load', async () => {
    const address = await freshNativeUrl()
    const successor = await open(address)
    await migrate(successor)
    const { keyHeaders } = await newWorkspace(await startOn(successor, {}))
    const name = new URL(address).pathname.slice(1)
    // Sessions from now on are like those of a standby, also after the next ones are like those of a primary.
    await successor.script(`alter database ${name} set default_transaction_read_only = on`)
    const service = await startOn(await open(address), {})
    const write = async () => {
      const organizations = [{ organizationId: 'acme', organizationName: 'Acme' }]
      return (await service.call('/v2/organizations/add', { organizations }, keyHeaders)).status
    }
    const ready = async () => (await fetch(`${service.url}/readyz`)).status
    expect([await write(), await ready()]).toEqual([503, 503])
    await successor.script(`alter database ${name} reset default_transaction_read_only`)
    // More often than an idle connection is closed.
    await expect.poll(write, { timeout: 20_000, interval: 200 }).toBe(200)
    await expect.poll(ready, { timeout: 20_000, interval: 200 }).toBe(200)
  }, 60_000)
})
