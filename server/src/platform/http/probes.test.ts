import { expect, onTestFinished, test } from 'vitest'
import { freshNativeUrl, startOn } from '../../../test/running-service.ts'
import { startProxy } from '../../../test/tcp-proxy.ts'
import { openPostgres } from '../db/postgres.ts'
import { migrate } from '../migrate.ts'

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
