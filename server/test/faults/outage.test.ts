import { beforeEach, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/db.ts'
import { gate } from '../gate.ts'
import { type ReceivedRequest, testReceiver } from '../receiver.ts'
import { type Service, startService } from '../running-service.ts'
import { newWebhookWorkspace, type WebhookWorkspace } from '../webhook-workspace.ts'

const HOUR_MS = 3_600_000
const HOURS = 24

let service: Service
let ws: WebhookWorkspace
beforeEach(async () => {
  service = await startService()
  service.clock.ahead = 0
  ws = await newWebhookWorkspace(service)
})

test('after a day of a receiver that is down, its backlog drains, the oldest events first, each once', async () => {
  let isUp = false
  const answer = gate()
  const receiver = await testReceiver(async () => {
    if (!isUp) return 'reset'
    await answer.opened
    return { status: 200 }
  })
  await ws.createEndpoint({ url: receiver.url })
  for (let hour = 0; hour < HOURS; hour++) {
    await ws.emit('comment.add', [{ advanced: { hour } }])
    await service.drainJobs()
    service.clock.ahead += HOUR_MS
  }
  const failed = receiver.received().length
  expect(failed).toBeGreaterThan(HOURS)
  const backlog = await pending()
  expect(backlog).toHaveLength(HOURS)

  isUp = true
  service.clock.ahead += Math.max(...backlog.map(({ due_at }) => due_at)) - now()
  const drained = service.drainJobs()
  const hoursOf = (requests: ReceivedRequest[]) =>
    requests.slice(failed).map(({ body }) => JSON.parse(body.toString()).hour)
  // The number of deliveries in flight to an endpoint that has not succeeded yet.
  expect(hoursOf(await receiver.next(failed + 4)).sort((a, b) => a - b)).toEqual([0, 1, 2, 3])
  answer.open()
  await drained
  const all = Array.from({ length: HOURS }, (_, hour) => hour)
  expect(hoursOf(receiver.received()).sort((a, b) => a - b)).toEqual(all)
  expect(await pending()).toEqual([])
}, 120_000)

const now = () => service.app.services.clock.now()

const pending = () =>
  service.database.query<{ due_at: number }>(sql`
    select due_at
    from webhook_delivery
    where api_key = ${ws.apiKey} and status in ('ready', 'scheduled')`)
