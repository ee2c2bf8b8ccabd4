import { beforeAll, expect, test } from 'vitest'
import { signedIn } from '../../../test/console.ts'
import { type Service, startOn, startService } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'

interface Installation {
  time: number
  processes: { role: string; seenAt: number; startedAt: number; clockOffsetMs: number }[]
  queues: { queue: string; depth: number; oldestAgeMs: number }[]
  database: { kind: string; version: string; bytes: number }
}

let service: Service

beforeAll(async () => {
  service = await startService()
})

const read = async () =>
  (await (await signedIn(service, 'operator')).ask('installation/get')).body.result.data as Installation

test('it names processes, queues, database, retention and the embedding model', async () => {
  await service.app.heartbeat.start()
  await service.app.heartbeat.beat()
  const installation = await read()
  expect(installation).toEqual({
    time: expect.any(Number),
    processes: [
      {
        id: expect.stringMatching(/^prc_/),
        host: expect.any(String),
        pid: process.pid,
        role: 'all',
        version: '0.1.0',
        startedAt: expect.any(Number),
        seenAt: expect.any(Number),
        eventLoopDelayMs: expect.any(Number),
        clockOffsetMs: expect.any(Number),
        memoryBytes: expect.any(Number),
        index: { lexicalBytes: expect.any(Number), vectorBytes: expect.any(Number), limitBytes: expect.any(Number) },
        sendsMail: false,
        connections: {
          most: expect.any(Number),
          open: expect.any(Number),
          inUse: expect.any(Number),
          waiting: expect.any(Number),
        },
      },
    ],
    queues: expect.any(Array),
    database: {
      kind: expect.stringMatching(/^(embedded|postgres)$/),
      version: expect.stringMatching(/^\d+/),
      bytes: expect.any(Number),
    },
    retention: { webhookDays: service.app.services.config.webhookRetentionDays, recentRequestMinutes: 60 },
    embedder: { kind: 'lexical', model: null, unembeddedChanges: 0 },
  })
  expect(installation.database.bytes).toBeGreaterThan(1_000_000)
  expect(Math.abs(installation.processes[0]?.clockOffsetMs ?? 1e9)).toBeLessThan(1_000)
  for (const queue of ['jobs', 'deliveries', 'emails']) {
    expect(installation.queues.map((each) => each.queue)).toContain(queue)
  }
})

test('each process has a row of its own, which it takes away when it stops, and others when it is long gone', async () => {
  await service.app.heartbeat.beat()
  const other = await startOn(service.database, { ROLE: 'all' })
  await other.app.heartbeat.start()
  expect((await read()).processes).toHaveLength(2)
  await other.app.heartbeat.stop()
  expect((await read()).processes).toHaveLength(1)
  await other.app.heartbeat.beat()
  await service.database.query(sql`update service_process set seen_at = seen_at - 600001`)
  await service.app.heartbeat.beat()
  expect(await service.database.query(sql`select id from service_process`)).toHaveLength(1)
  await other.app.http.close()
})
