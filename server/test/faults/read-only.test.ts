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
    expect(write.body.error.status).toBe('UNAVAILABLE')
  })
})
