import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { activity, newLog, type TestLog } from '../../../test/activity-log.ts'
import { type Service, startService } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import { genesisOf } from './log/chain.ts'

let service: Service
let log: TestLog

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  log = await newLog(service)
})

test('a log that was never written is valid, with the genesis as its head', async () => {
  expect(await log.verify()).toEqual({
    valid: true,
    count: 0,
    head: genesisOf(log.ws.apiKey, 'acme'),
    firstBreak: null,
  })
})

test('an unknown organization is NOT_FOUND', async () => {
  const { status, body } = await log.ws.call('/v2/activities/verify', { organizationId: 'nowhere' })
  expect([status, body.error.status]).toEqual([404, 'NOT_FOUND'])
})

test('each record, overwrite, update, deletion and erasure extends the chain', async () => {
  await log.add([activity('a'), activity('b'), activity('c')])
  await log.add([activity('a', { actionType: 'comment.update' })])
  await log.update('b', 'pen')
  await log.remove('c')
  const before = await log.verify()
  expect(before).toMatchObject({ valid: true, count: 6, firstBreak: null })
  await log.erase('ada')
  const after = await log.verify()
  expect(after).toMatchObject({ valid: true, count: 7 })
  expect(after.head).not.toBe(before.head)
})

test('each organization has a chain of its own', async () => {
  await log.add([activity('a')])
  await log.add([activity('a')], 'beta')
  const beta = await log.verify({ organizationId: 'beta' })
  expect(beta).toMatchObject({ valid: true, count: 1 })
  expect(beta.head).not.toBe((await log.verify()).head)
})

test('a long log is walked in batches', async () => {
  await log.add(Array.from({ length: 900 }, (_, i) => activity(`a${i}`)))
  await log.add(Array.from({ length: 400 }, (_, i) => activity(`a${i}`)))
  expect(await log.verify()).toMatchObject({ valid: true, count: 1300 })
  await log.set(1200, sql`record = record || '{"actionType":"x"}'`)
  expect((await log.verify()).firstBreak).toEqual({ id: 'a299', position: 1200, reason: 'changed_entry' })
})

describe('an anchor, kept from an earlier answer,', () => {
  test('is passed by a log that only grew', async () => {
    const anchors = [await log.verify()]
    await log.add([activity('a')])
    anchors.push(await log.verify())
    await log.add([activity('b')])
    anchors.push(await log.verify())
    for (const { count, head } of anchors)
      expect(await log.verify({ anchor: { count, head } })).toMatchObject({ valid: true })
  })

  test('finds a log that was set back as a whole, seal and all', async () => {
    await log.add([activity('a')])
    const [kept] = await service.database.query<{ head: string; seal: string }>(sql`
      select encode(head, 'hex') as head, seal from activity_log where ${log.mine}`)
    await log.add([activity('b')])
    const { count, head } = await log.verify()
    await log.tamper(sql`delete from activity_entry where ${log.mine} and position = 2`)
    await log.tamper(sql`
      update activity_log set count = 1, head = decode(${kept?.head ?? ''}, 'hex'), seal = ${kept?.seal} where ${log.mine}`)
    expect(await log.verify()).toMatchObject({ valid: true, count: 1 })
    expect((await log.verify({ anchor: { count, head } })).firstBreak).toMatchObject({
      position: 2,
      reason: 'anchor_mismatch',
    })
    await log.add([activity('c')])
    expect((await log.verify({ anchor: { count, head } })).firstBreak).toMatchObject({
      position: 2,
      reason: 'anchor_mismatch',
    })
  })
})

test('parallel adds of the same and of other records keep one unbroken chain', async () => {
  await Promise.all(
    Array.from({ length: 24 }, (_, i) =>
      log.add([activity(`a${i % 5}`), activity(`b${i}`), activity(`a${(i + 3) % 5}`)]),
    ),
  )
  expect(await log.verify()).toMatchObject({ valid: true, count: 72 })
  const { data } = await log.ws.ok('/v2/activities/get', { organizationId: 'acme' })
  expect(data).toHaveLength(29)
})

test('a log can be verified while it is written', async () => {
  const writes = Array.from({ length: 10 }, (_, i) => log.add([activity('a'), activity(`b${i}`)]))
  const verdicts = await Promise.all([...writes.map(() => log.verify()), log.erase('nobody').then(() => log.verify())])
  await Promise.all(writes)
  for (const { valid } of verdicts) expect(valid).toBe(true)
})
