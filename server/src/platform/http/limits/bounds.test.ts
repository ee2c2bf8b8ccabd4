import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { gate } from '../../../../test/gate.ts'
import { newWorkspace, startService } from '../../../../test/running-service.ts'
import { readConfig } from '../../config.ts'
import { sql } from '../../db/db.ts'
import { createBounds, inTurn } from './bounds.ts'

const state = () => ({ transactions: { most: 16, open: 0, inUse: 0, waiting: 0 }, shared: {}, isListening: true })
const newBounds = () => createBounds(readConfig({}), { kind: 'postgres', state })

test.each([true, false])(
  'requests with long bodies have a turn of the event loop each (writes: %s)',
  async (isWrite) => {
    const bounds = newBounds()
    let turns = 0
    let counting = setImmediate(function count() {
      turns++
      counting = setImmediate(count)
    })
    onTestFinished(() => clearImmediate(counting))
    const about = { key: 'a', reader: { destroyed: false }, isWrite, bodyBytes: 5_000 }
    const refused = () => inTurn(bounds, about, () => Promise.reject(new Error('refused')))
    await Promise.allSettled(Array.from({ length: 100 }, refused))
    expect(turns).toBeGreaterThanOrEqual(99)
  },
)

test('reads with short bodies wait for no others of their key', async () => {
  const bounds = newBounds()
  const about = { key: 'a', reader: { destroyed: false }, isWrite: false, bodyBytes: 100 }
  let begun = 0
  for (let n = 0; n < 50; n++) void inTurn(bounds, about, () => new Promise(() => begun++))
  await delay(1)
  expect(begun).toBe(50)
})

// The embedded database has one connection: a transaction that waits there keeps everybody waiting.
test('writes of one key that wait for a lock take no connection that another key needs', async () => {
  const service = await startService()
  if (service.database.kind === 'embedded') return
  const [ws, other] = [await newWorkspace(service), await newWorkspace(service)]
  const write = (by: typeof ws) => by.call('/v2/users/add', { organizationId: 'acme', users: [{ userId: 'ada' }] })
  await Promise.all([write(ws), write(other)])
  const unlocked = gate()
  const lock = service.database.transaction(async (db) => {
    await db.query(sql`select from organization where api_key = ${ws.apiKey} for update`)
    await db.query(sql`select from app_user where api_key = ${ws.apiKey} for update`)
    await unlocked.opened
  })
  const waiting = Array.from({ length: 30 }, () => write(ws))
  await delay(200)
  const served = await Promise.race([write(other), delay(2_000)])
  unlocked.open()
  await lock
  expect(served?.status).toBe(200)
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]))
})
