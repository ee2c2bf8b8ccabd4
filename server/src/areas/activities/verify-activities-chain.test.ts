import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { acme, activity, newFilledLog, newLog, type TestLog } from '../../../test/activity-log.ts'
import { type Service, startService } from '../../../test/running-service.ts'
import { raw, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { createSecrets } from '../../platform/secret.ts'
import { commit, genesisOf, hashOf, sealInput } from './log/chain.ts'
import { readEntries } from './log/stored-entry.ts'

let service: Service
let log: TestLog

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  log = await newFilledLog(service)
})

/** Recomputes every hash and the head from the present rows, as anybody can who knows the algorithm. */
async function recompute(seal: (text: string) => string | null) {
  const { tenant } = log
  let head = genesisOf(log.ws.apiKey, 'acme')
  const entries = await readEntries(service.database, tenant, acme, sql`true`)
  const latest = new Map<string | null, number>()
  for (const [index, entry] of entries.entries()) {
    const [actor, content] = [entry.actor && commit(entry.actor.value), entry.content && commit(entry.content.value)]
    const commitments = { actor: actor?.commitment ?? null, content: content?.commitment ?? null }
    const position = index + 1
    const supersedes = latest.get(entry.id) ?? null
    latest.set(entry.id, position)
    head = hashOf(head, { ...entry, position, supersedes, commitments })
    await log.set(
      entry.position,
      sql`
      position = ${position}, hash = decode(${head}, 'hex'), supersedes = ${supersedes}, superseded_by = null,
      actor_salt = decode(${actor?.salt ?? null}, 'hex'), actor_commitment = decode(${commitments.actor}, 'hex'),
      content_salt = decode(${content?.salt ?? null}, 'hex'), content_commitment = decode(${commitments.content}, 'hex')`,
    )
    await log.set(supersedes ?? 0, sql`superseded_by = ${position}`)
  }
  const end = { count: entries.length, head }
  const text = seal(sealInput(log.ws.apiKey, acme, end))
  await log.tamper(sql`
    update activity_log
    set count = ${end.count}, head = decode(${head}, 'hex'), seal = coalesce(${text}, seal)
    where ${log.mine}`)
}

const withoutKey = () => null
const withAnotherKey = (text: string) => createSecrets([{ id: 'test', key: Buffer.alloc(32, 8) }]).hash(text)

test.each<[what: string, () => Promise<unknown>]>([
  ['edits', () => log.set(1, sql`content = '{"entityData":"forged"}'`)],
  ['truncates', () => log.tamper(sql`delete from activity_entry where ${log.mine} and position > 3`)],
  ['deletes in the middle', () => log.tamper(sql`delete from activity_entry where ${log.mine} and position = 5`)],
])('somebody with SQL %s and recomputes the chain without the master key, and is found', async (_, act) => {
  await act()
  for (const seal of [withoutKey, withAnotherKey]) {
    await recompute(seal)
    expect((await log.verify()).firstBreak).toMatchObject({ reason: 'broken_seal' })
  }
  // Later entries do not repair it.
  await log.add([activity('d')])
  expect((await log.verify()).firstBreak).toMatchObject({ reason: 'broken_seal' })
})

test('somebody with SQL deletes the head or adds entries beyond it: the log goes on being written, and it is found', async () => {
  await copyOfFirst(8)
  await log.add([activity('d')])
  expect((await log.ws.ok('/v2/activities/get', { organizationId: 'acme', activityIds: ['d'] })).data).toHaveLength(1)
  await log.tamper(sql`delete from activity_log where ${log.mine}`)
  await log.add([activity('e')])
  expect((await log.verify()).valid).toBe(false)
})

test('somebody with SQL writes what the service would never write, and verify answers all the same', async () => {
  for (const record of ['null', '7', '{"erased":7}', '{"erased":{"x":1}}', '[]']) {
    await log.set(6, sql`record = ${record}::jsonb, kind = 'erase', activity_key = null, activity_id = null`)
    await recompute(withoutKey)
    expect((await log.verify()).valid).toBe(false)
  }
})

test('somebody with SQL brings erased data back, and is found', async () => {
  const { tenant } = log
  const [before] = await readEntries(service.database, tenant, acme, sql`position = 1`)
  await log.erase('ada')
  const actor = JSON.stringify(before?.actor?.value)
  const content = JSON.stringify(before?.content?.value)
  const restore = sql`
    actor = ${actor}::jsonb, actor_salt = decode(${before?.actor?.salt ?? ''}, 'hex'), user_key = ${keyOf('ada')},
    content = ${content}::jsonb, content_salt = decode(${before?.content?.salt ?? ''}, 'hex')`
  await log.set(1, restore)
  expect((await log.verify()).firstBreak).toMatchObject({ position: 1, reason: 'changed_personal_data' })
  await log.set(1, sql`erased_by = null`)
  expect((await log.verify()).firstBreak).toEqual({ id: 'a', position: 1, reason: 'restored_personal_data' })
})

test('somebody with SQL edits personal data before it is erased: the erasure does not cover it up', async () => {
  await log.set(1, sql`actor = '{"userId":"ada","name":"Eve"}'`)
  await log.erase('ada')
  expect((await log.verify()).firstBreak).toMatchObject({ position: 1, reason: 'changed_personal_data' })
})

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

const ID = fc.constantFrom('a', 'b', 'c')
const STEP = fc.oneof(
  fc.tuple(
    fc.constant('add' as const),
    ID,
    fc.jsonValue({ maxDepth: 2 }).filter((value) => isStorable(value)),
  ),
  fc.tuple(fc.constantFrom('update' as const, 'remove' as const, 'erase' as const), ID, fc.constant(null)),
)
const isStorable = (value: unknown) => {
  const text = JSON.stringify(value)
  return !/\\u0000|\\ud[89a-f]/i.test(text)
}
const COLUMNS = ['hash', 'actor_commitment', 'content_salt', 'actor_salt'] as const

test('whatever is written verifies, and whatever byte or row is changed then is found', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(STEP, { minLength: 1, maxLength: 8 }),
      fc.nat(),
      fc.constantFrom(...COLUMNS),
      async (steps, at, column) => {
        log = await newLog(service)
        await log.add([activity('a', { actionUser: { userId: 'a' } })])
        for (const [what, id, entityData] of steps) {
          if (what === 'add') await log.add([activity(id, { entityData, actionUser: { userId: id } })])
          else if (what === 'update') await log.update(id, 'pen')
          else if (what === 'remove') await log.remove(id)
          else await log.erase(id)
        }
        const { valid, count } = await log.verify()
        expect(valid).toBe(true)
        const position = (at % count) + 1
        const [changed] = await log.tamper(sql`
        update activity_entry
        set ${raw(column)} = set_byte(${raw(column)}, 0, get_byte(${raw(column)}, 0) # 1)
        where ${log.mine} and position = ${position} and ${raw(column)} is not null
        returning 1 as one`)
        if (!changed) await log.tamper(sql`delete from activity_entry where ${log.mine} and position = ${position}`)
        // If the previous version stays hidden, that is found first.
        expect((await log.verify()).firstBreak?.position).toBeLessThanOrEqual(position)
      },
    ),
    { numRuns: 15 },
  )
})
