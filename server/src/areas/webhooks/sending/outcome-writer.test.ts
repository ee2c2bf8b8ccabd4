import { beforeEach, expect, test } from 'vitest'
import { testReceiver } from '../../../../test/receiver.ts'
import { type Service, startService } from '../../../../test/running-service.ts'
import { newWebhookWorkspace, type WebhookWorkspace } from '../../../../test/webhook-workspace.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { createWorker } from '../../../platform/work/worker.ts'
import { webhookDeliveries } from '../deliver.worker.ts'

let service: Service
let ws: WebhookWorkspace
beforeEach(async () => {
  service = await startService()
  service.clock.ahead = 0
  ws = await newWebhookWorkspace(service)
})

/** A database whose connection breaks while outcomes are recorded: before the statement, then before its response. */
function breaking(): Db {
  const writes = service.database.work
  const breaks = ['before', 'after']
  return {
    async query<Row extends object>(statement: Sql): Promise<Row[]> {
      const isRecording = statement.text.includes('insert into webhook_settled')
      const broken = isRecording ? breaks.shift() : undefined
      if (broken === 'before') throw new Error('connection lost')
      const rows = await writes.query<Row>(statement)
      if (broken === 'after') throw new Error('connection lost')
      return rows
    },
  }
}

test('an outcome is recorded once, even if the connection breaks meanwhile', async () => {
  const { url, received } = await testReceiver((_, index) => ({ status: index > 0 ? 200 : 500 }))
  await ws.createEndpoint({ url, ordered: true, retrySchedule: [3600] })
  await ws.emit('comment.add', [{}, {}])
  const { services } = service.app
  const source = webhookDeliveries({ reads: service.database, db: breaking(), services })
  await createWorker(service.database, [source], services.log).drain()
  await service.drainJobs()
  expect(received()).toHaveLength(1)
  const deliveries = await service.database.query(sql`
    select status, attempt, due_at > ${services.clock.now() + 3_000_000}::bigint as waits
    from webhook_delivery
    where api_key = ${ws.apiKey}
    order by seq`)
  expect(deliveries).toEqual([
    { status: 'ready', attempt: 1, waits: true },
    { status: 'ready', attempt: 0, waits: false },
  ])
  service.clock.ahead = 2 * 3_600_000
  await service.drainJobs()
  expect(received()).toHaveLength(3)
})
