import { expect, test } from 'vitest'
import { Heartbeat } from './heartbeat.ts'

test('beats that fail while the database is away are told of once, not one by one', async () => {
  const told: object[] = []
  const down = new Error('down')
  const heartbeat = new Heartbeat({
    db: { query: () => Promise.reject(down) },
    log: { warn: (about: object) => void told.push(about) },
    role: 'all',
    read: () => ({
      index: { lexicalBytes: 0, vectorBytes: 0, limitBytes: 0 },
      sendsMail: false,
      connections: { most: 1, open: 0, inUse: 0, waiting: 0 },
    }),
  })
  await heartbeat.start()
  for (let i = 0; i < 3; i++) await heartbeat.beat()
  await heartbeat.stop()
  expect(told).toEqual([{ err: down, failures: 1 }])
})
