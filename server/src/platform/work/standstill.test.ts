import { expect, onTestFinished, test } from 'vitest'
import { gate } from '../../../test/gate.ts'
import { newWorkspace, type Service, startAlone, startService } from '../../../test/running-service.ts'
import { sql } from '../db/db.ts'
import { QueueMeter } from './queue-meter.ts'
import { findStandstill } from './standstill.ts'
import { createWorker, type Source } from './worker.ts'

const readiness = async ({ url }: Service) => {
  const response = await fetch(`${url}/readyz`)
  return { status: response.status, body: await response.json() }
}

test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'readiness turns 503 with the reason while a loop of the worker stands still and work is due, then 200 again',
  async () => {
    const service = await startAlone({ WORKER_STALL_SECONDS: '1' })
    const { app, database } = service
    const ws = await newWorkspace(service)
    onTestFinished(async () => {
      await app.http.close()
      await app.worker.stop()
      await database.close()
    })
    const { opened: released, open: release } = gate()
    const { opened: locked, open } = gate()
    await ws.ok('/v2/users/data/delete', { userIds: ['ada'] })
    const holding = database.transaction(async (db) => {
      await db.query(sql`select from user_data_deletion where api_key = ${ws.apiKey} for update`)
      open()
      await released
    })
    await locked
    await app.worker.start()
    await expect
      .poll(() => app.worker.turns().find(({ source }) => source.name === 'jobs')?.agoMs)
      .toBeGreaterThan(1_500)
    expect(await readiness(service)).toEqual({ status: 200, body: { status: 'ready' } })
    await ws.ok('/v2/users/data/delete', { userIds: ['bob'] })
    // The queues are measured every ten seconds.
    await expect
      .poll(() => readiness(service), { timeout: 14_000 })
      .toEqual({
        status: 503,
        body: {
          status: 'worker stalled',
          reason: expect.stringMatching(/^The worker's loop "jobs" has not turned for \d+ s; 1 due\.$/),
        },
      })
    release()
    await holding
    await expect.poll(() => readiness(service)).toEqual({ status: 200, body: { status: 'ready' } })
  },
)

test('a loop that never ends counts as stuck after the time, if its queue has items that are due', async () => {
  const { database, app, clock } = await startService()
  const stuck = (name: string, depth: number, oldestAt: number | null): Source => ({
    name,
    work: () => new Promise(() => {}),
    backlog: async () => [{ queue: name, depth, oldestAt }],
  })
  const running = (sources: Source[]) => {
    const worker = createWorker(database, sources, app.services.log)
    void worker.start()
    const services = { db: database, clock: app.services.clock, sources }
    const options = { worker, meter: new QueueMeter(services), clock: services.clock }
    return (afterMs: number) => findStandstill({ ...options, afterMs })
  }
  const idle = running([stuck('empty', 0, null), stuck('later', 3, Date.now() + clock.ahead + 60_000)])
  const busy = running([stuck('empty', 0, null), stuck('full', 7, Date.now() - 5_000)])
  await expect.poll(() => busy(200)).toMatch(/^The worker's loop "full" has not turned for 0 s; 7 due\.$/)
  expect(await busy(60_000)).toBeUndefined()
  expect(await idle(200)).toBeUndefined()
})
