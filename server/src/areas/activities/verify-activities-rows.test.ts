import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newFilledLog, type TestLog } from '../../../test/activity-log.ts'
import { type Service, startService } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'

let service: Service
let log: TestLog

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  log = await newFilledLog(service)
})

test.each<[what: string, () => Promise<unknown>, firstBreak: object]>([
  [
    'edits a record',
    () => log.set(2, sql`record = record || '{"actionType":"x"}'`),
    { id: 'b', position: 2, reason: 'changed_entry' },
  ],
  [
    'edits the content',
    () => log.set(1, sql`content = content || '{"entityData":{}}'`),
    { id: 'a', position: 1, reason: 'changed_personal_data' },
  ],
  [
    'edits the actor',
    () => log.set(2, sql`actor = '{"userId":"ada","name":"Eve"}'`),
    { id: 'b', position: 2, reason: 'changed_personal_data' },
  ],
  [
    'makes another the actor',
    () => log.set(2, sql`actor = '{"userId":"eve"}', user_key = ${keyOf('eve')}`),
    { id: 'b', position: 2, reason: 'changed_personal_data' },
  ],
  [
    'takes the content away',
    () => log.set(1, sql`content = null, content_salt = null`),
    { id: 'a', position: 1, reason: 'changed_personal_data' },
  ],
  [
    'takes content and commitment away',
    () => log.set(1, sql`content = null, content_salt = null, content_commitment = null`),
    { id: 'a', position: 1, reason: 'changed_entry' },
  ],
  ['changes a time', () => log.set(3, sql`at = at - 1`), { id: 'c', position: 3, reason: 'changed_entry' }],
  [
    'changes when a record was added',
    () => log.set(1, sql`"timestamp" = "timestamp" - 1`),
    { id: 'a', position: 1, reason: 'changed_entry' },
  ],
  [
    'moves a record to another document',
    () => log.set(1, sql`document_key = ${keyOf('annex')}`),
    { id: 'a', position: 1, reason: 'changed_entry' },
  ],
  [
    'hides a record from the filter by user',
    () => log.set(2, sql`user_key = ${keyOf('eve')}`),
    { id: 'b', position: 2, reason: 'changed_entry' },
  ],
  [
    'hides a record from the filter by target',
    () => log.set(2, sql`target_key = ${keyOf('x')}`),
    { id: 'b', position: 2, reason: 'changed_entry' },
  ],
  ['hides a record', () => log.set(4, sql`superseded_by = 5`), { id: 'a', position: 4, reason: 'wrong_version_shown' }],
  [
    'shows an overwritten version',
    () => log.set(1, sql`superseded_by = null`),
    { id: 'a', position: 1, reason: 'wrong_version_shown' },
  ],
  [
    'shows a deleted record again',
    () => log.set(3, sql`superseded_by = null`),
    { id: 'c', position: 3, reason: 'wrong_version_shown' },
  ],
  [
    'calls an entry another kind',
    () => log.set(6, sql`kind = 'erase'`),
    { id: 'c', position: 6, reason: 'changed_entry' },
  ],
  [
    'deletes the first entry',
    () => log.tamper(sql`delete from activity_entry where ${log.mine} and position = 1`),
    { id: null, position: 1, reason: 'missing_entry' },
  ],
  [
    'deletes an entry',
    () => log.tamper(sql`delete from activity_entry where ${log.mine} and position = 3`),
    { id: null, position: 3, reason: 'missing_entry' },
  ],
  [
    'truncates the log',
    () => log.tamper(sql`delete from activity_entry where ${log.mine} and position > 6`),
    { id: null, position: 7, reason: 'missing_entry' },
  ],
  [
    'empties the log',
    () => log.tamper(sql`delete from activity_entry where ${log.mine}`),
    { id: null, position: 1, reason: 'missing_entry' },
  ],
  [
    'deletes the head',
    () => log.tamper(sql`delete from activity_log where ${log.mine}`),
    { id: null, position: 7, reason: 'broken_seal' },
  ],
  [
    'sets the count back',
    () => log.tamper(sql`update activity_log set count = 5 where ${log.mine}`),
    { id: null, position: 7, reason: 'broken_seal' },
  ],
  [
    'sets the head',
    () => log.tamper(sql`update activity_log set head = decode(repeat('00', 32), 'hex') where ${log.mine}`),
    { id: null, position: 7, reason: 'broken_seal' },
  ],
  ['swaps two entries', swap, { id: 'c', position: 2, reason: 'changed_entry' }],
  ['closes the gap of a deleted entry', closeGap, { id: 'a', position: 1, reason: 'wrong_version_shown' }],
  ['inserts an old entry again, at the end', () => copyOfFirst(8), { id: 'a', position: 8, reason: 'changed_entry' }],
  ['puts an entry back in another place', () => putBack(), { id: null, position: 2, reason: 'missing_entry' }],
])('somebody with SQL %s, and is found', async (_, act, firstBreak) => {
  expect(await log.verify()).toMatchObject({ valid: true })
  await act()
  expect(await log.verify()).toMatchObject({ valid: false, firstBreak })
})

const move = (from: number, to: number) => log.set(from, sql`position = ${to}`)
async function swap() {
  await move(2, 99)
  await move(3, 2)
  await move(99, 3)
}
async function closeGap() {
  await log.tamper(sql`delete from activity_entry where ${log.mine} and position = 2`)
  for (const position of [3, 4, 5, 6, 7]) await move(position, position - 1)
}
const copyOfFirst = (position: number) =>
  log.tamper(sql`
    insert into activity_entry (
      api_key, organization_key, position, kind, at, activity_key, activity_id, document_key, document_id,
      "timestamp", origin, supersedes, record, actor, actor_salt, actor_commitment, content, content_salt,
      content_commitment, size, hash)
    select api_key, organization_key, ${position}, kind, at, activity_key, activity_id, document_key, document_id,
      "timestamp", origin, supersedes, record, actor, actor_salt, actor_commitment, content, content_salt,
      content_commitment, size, hash
    from activity_entry
    where ${log.mine} and position = 1`)
const putBack = () => move(2, 8)

test('somebody with SQL takes an entry out and puts the very same back: nothing was changed, nothing is found', async () => {
  await move(2, 99)
  expect((await log.verify()).firstBreak).toMatchObject({ position: 2, reason: 'missing_entry' })
  await move(99, 2)
  expect((await log.verify()).valid).toBe(true)
})
