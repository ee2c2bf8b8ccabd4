import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { freshNativeUrl, startOn, startService } from '../../../test/running-service.ts'
import { startProxy } from '../../../test/tcp-proxy.ts'
import { openPostgres } from '../db/postgres.ts'
import { migrate } from '../migrate.ts'
import { mountProbes } from './probes.ts'

test.runIf(process.env.TEST_DATABASE === 'postgres')(
  '/readyz says within seconds that the database hangs, however long a statement may take',
  async () => {
    const proxy = await startProxy(await freshNativeUrl())
    const options = { poolSize: 2, pipeline: true, statementTimeoutMs: 60_000, onError: () => {} }
    const database = await openPostgres({ url: proxy.url, ...options })
    await migrate(database)
    const service = await startOn(database, {})
    onTestFinished(async () => {
      await service.app.http.close()
      await database.close()
      proxy.close()
    })
    const ready = () => fetch(`${service.url}/readyz`, { signal: AbortSignal.timeout(8_000) })
    expect((await ready()).status).toBe(200)
    proxy.hold()
    const response = await ready()
    proxy.release()
    expect([response.status, await response.json()]).toEqual([503, { status: 'database unavailable' }])
    expect((await ready()).status).toBe(200)
  },
  30_000,
)

test('/readyz is 503 until the start has greeted, so that who waits for it finds the credentials in the output', async () => {
  const { app, database } = await startService()
  let isGreeted = false
  const probed = fastify()
  const options = { database, services: app.services, standstill: async () => undefined, isGreeted: () => isGreeted }
  mountProbes(probed, options, () => false)
  const ready = async () => (await probed.inject('/readyz')).statusCode
  expect(await ready()).toBe(503)
  isGreeted = true
  expect(await ready()).toBe(200)
})
