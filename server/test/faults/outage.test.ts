import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { sql } from '../../src/platform/db/db.ts'
import { startReceiver } from '../receiver.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../service.ts'
import { emitEvents } from '../webhook-events.ts'

const HOUR_MS = 3_600_000
const HOURS = 24

let service: Service
let ws: TestWorkspace
beforeEach(async () => {
  service = await startService()
  service.clock.ahead = 0
  ws = await newWorkspace(service)
  await ws.ok('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true })
})

test('after a day of a receiver that is down, its backlog drains in order of due time, each event once', async () => {
  let isUp = false
  const receiver = await startReceiver({ respond: () => (isUp ? { status: 200 } : 'reset') })
  onTestFinished(() => receiver.close())
  await ws.ok('/v2/workspace/advancedwebhook/endpoints/create', { url: receiver.url })
  for (let hour = 0; hour < HOURS; hour++) {
    await emitEvents(service, ws, 'comment.add', [{ advanced: { hour } }])
    await service.drainJobs()
    service.clock.ahead += HOUR_MS
  }
  const failed = receiver.received().length
  expect(failed).toBeGreaterThan(HOURS)
  const backlog = await pending()
  expect(backlog).toHaveLength(HOURS)

  isUp = true
  const arrived = () =>
    receiver
      .received()
      .slice(failed)
      .map(({ headers }) => String(headers['webhook-id']))
  const dueBy = (time: number) => backlog.filter(({ due_at }) => due_at <= time).map(({ event_id }) => event_id)
  for (const { due_at } of backlog) {
    service.clock.ahead += Math.max(0, due_at - now())
    await service.drainJobs()
    expect(arrived()).toEqual(expect.arrayContaining(dueBy(due_at)))
    expect(dueBy(now())).toEqual(expect.arrayContaining(arrived()))
  }
  expect(arrived()).toHaveLength(backlog.length)
  expect(await pending()).toEqual([])
}, 120_000)

const now = () => service.app.services.clock.now()

const pending = () =>
  service.database.query<{ event_id: string; due_at: number }>(sql`
    select event_id, due_at
    from webhook_delivery
    where api_key = ${ws.apiKey} and status in ('ready', 'sending', 'scheduled')
    order by due_at`)
