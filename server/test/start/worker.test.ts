import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../faults/processes.ts'
import { freshNativeUrl } from '../running-service.ts'

test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'a worker serves health and metrics, and nothing of the API',
  async () => {
    const worker = await startServer('worker', await freshNativeUrl())
    onTestFinished(async () => {
      await worker.stop('SIGKILL')
    })
    expect(await (await fetch(`${worker.url}/healthz`)).json()).toEqual({ status: 'ok' })
    expect(await (await fetch(`${worker.url}/readyz`)).json()).toEqual({ status: 'ready' })
    const metrics = await (await fetch(`${worker.url}/metrics`)).text()
    for (const name of ['deliveries_total', 'emails_total', 'jobs_processed_total'])
      expect(metrics).toContain(`# TYPE ${name} counter`)
    for (const path of ['/openapi.json', '/reference', '/.well-known/jwks.json'])
      expect([path, (await fetch(worker.url + path)).status]).toEqual([path, 404])
    const create = await fetch(`${worker.url}/v2/workspace/create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: { ownerEmail: 'owner@example.com' } }),
    })
    expect(create.status).toBe(404)
    expect(await create.json()).toMatchObject({
      error: { message: expect.stringContaining('This process is a worker') },
    })
    expect(worker.output()).toBe('')
    expect(await worker.stop()).toBe(0)
  },
)
