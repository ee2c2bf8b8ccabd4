import { beforeAll, expect, test } from 'vitest'
import { blocksRead } from '../../../../test/measuring/explained.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../../test/running-service.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import { memoryScopeOf } from '../../memory/judgment/scope.ts'
import { forgetJudgmentsOfUsers } from '../../memory/user-judgments.ts'
import { reviewersNamed } from './reviewers-named.ts'

let service: Service
let ws: TestWorkspace

const LONG = `Ann${' Maria'.repeat(4)} ${'x'.repeat(60)}`
const judged = (userId: string, name: string, more: object = {}) => ({
  decision: 'approve',
  reasoning: 'Fine.',
  actionUser: { userId, name },
  ...more,
})

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'org' }] })
  const judgments = [
    judged('u-17', 'Bob Ray'),
    judged('u-18', 'Cole, Dan'),
    judged('u-19', 'Ludwig van Beethoven'),
    judged('solo', 'Will'),
    judged('u-20', 'Åke Öde'),
    judged('u-21', '山田 太郎'),
    judged('long', LONG),
    judged('renamed', 'Old Name', { createdAt: 1_000 }),
    judged('renamed', 'New Name', { createdAt: 2_000 }),
    judged('inside', 'Ina Side', { organizationId: 'org' }),
  ]
  await ws.ok('/v2/memory/judgments/add', { judgments })
})

const tenantOf = ({ apiKey, id }: TestWorkspace) => ({ apiKey, workspaceId: id })
const read = (text: string, { of = ws, db = service.database as Db, scope = {} } = {}) =>
  reviewersNamed(db, tenantOf(of), scope, text)
const named = async (text: string, more: object = {}) => (await read(text, more)).map(({ userId }) => userId).toSorted()

test.each<[string, string[]]>([
  ['What did Bob Ray say?', ['u-17']],
  ['What did Cole, Dan say?', ['u-18']],
  ['What did Bob say?', ['u-17']],
  ['Is (u-19) right?', ['u-19']],
  ['Was Ludwig van Beethoven right?', ['u-19']],
  ['Is Will’s review right?', ['solo']],
  ['Will the plan do?', []],
  ['Was Åke right?', ['u-20']],
  ['Is 山田 太郎 right?', ['u-21']],
  [`What did ${LONG} say?`, ['long']],
  ['Why do we reject photos?', []],
])('%s may name %j', async (text, users) => {
  expect(await named(text)).toEqual(users)
})

test('a reviewer has the name of their last judgment in scope, and none has one elsewhere', async () => {
  expect(await read('What did Old Name say?')).toEqual([{ userId: 'renamed', name: 'New Name' }])
  const scope = memoryScopeOf(tenantOf(ws), 'organization', { organizationId: 'org' })
  expect(await named('Do Ina Side and Bob Ray agree?', { scope })).toEqual(['inside'])
  const of = await newWorkspace(service)
  expect(await named('Do Ina Side and Bob Ray agree on (u-19)?', { of })).toEqual([])
})

test('of a text that names very many reviewers some are read, those named in full first', async () => {
  const of = await newWorkspace(service)
  const firstNames = Array.from({ length: 30 }, (_, i) => `Ann${String.fromCharCode(97 + i / 26, 97 + (i % 26))}`)
  const sharing = firstNames.flatMap((name, i) =>
    Array.from({ length: 10 }, (_, n) => judged(`r${i}-${n}`, `${name} Lee`)),
  )
  await of.ok('/v2/memory/judgments/add', { judgments: [...sharing, judged('bob', 'Bob Ray')] })
  const text = `Do ${firstNames.join(', ')} and Bob Ray agree?`
  const found = await named(text, { of })
  expect(found.length).toBeLessThanOrEqual(100)
  expect(found).toContain('bob')
  const ids = sharing.map(({ actionUser }) => actionUser.userId)
  expect(await read(`Do ${ids.map((id) => `(${id})`).join(' ')} agree?`, { of })).toHaveLength(100)
})

test('an erased reviewer is not found', async () => {
  const of = await newWorkspace(service)
  await of.ok('/v2/memory/judgments/add', { judgments: [judged('ann', 'Ann Lee')] })
  expect(await named('Ask Ann Lee', { of })).toEqual(['ann'])
  const whose = { userKeys: [keyOf('ann')] }
  await service.database.transaction((db) => forgetJudgmentsOfUsers(db, tenantOf(of), whose, 10))
  expect(await named('Ask Ann Lee', { of })).toEqual([])
})

test('what is read does not grow with the reviewers', { timeout: 60_000 }, async () => {
  const of = await newWorkspace(service)
  const blocks = async () => {
    await service.database.query(sql`analyze judgment`)
    return blocksRead(service.database, (db) => read('Did Bob Ray reject it?', { of, db }))
  }
  await of.ok('/v2/memory/judgments/add', { judgments: [judged('u-17', 'Bob Ray')] })
  const before = await blocks()
  const others = Array.from({ length: 1_000 }, (_, i) => judged(`other-${i}`, `Other ${i}`))
  for (const from of [0, 500]) await of.ok('/v2/memory/judgments/add', { judgments: others.slice(from, from + 500) })
  expect(await blocks()).toBeLessThan(before + 60)
})
