import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { newWorkspace, type Service, startAlone, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import { HEAD_FORM } from './head/pack-head.ts'

// Learning rests as long as it works, and a busy machine is slow.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startAlone()
})
beforeEach(async () => {
  ws = await newWorkspace(service)
})
afterAll(async () => {
  await service.app.http.close()
  await service.database.close()
})

const DAY = 86_400_000
const chance = (i: number) => (Math.imul(i + 1, 0x9e3779b1) >>> 0) / 2 ** 32
const TOPICS = ['landing page', 'newsletter', 'press release', 'product video', 'trade fair booth']

/** Claims without a source are mostly rejected, whatever they are about; Mallory's items always are. */
const judgment = (i: number) => {
  const author = i % 5 === 0 ? 'mallory' : `author${i % 7}`
  const isClaim = i % 2 === 0
  const approve = author !== 'mallory' && chance(i) < (isClaim ? 0.15 : 0.9)
  const what = isClaim ? 'claims savings without any source' : 'shows the partner logo with enough clear space'
  return {
    recordId: `r${i}`,
    decision: approve ? 'approve' : 'reject',
    reasoning: approve ? 'It follows the guide.' : 'It does not follow the guide.',
    content: `The ${TOPICS[i % TOPICS.length]} number ${i} ${what}`,
    contentUserId: author,
    actionUser: { userId: `u${i % 3}`, name: 'Someone' },
    createdAt: 1_700_000_000_000 + i * DAY,
  }
}
const history = (count: number) => Array.from({ length: count }, (_, i) => judgment(i))

const add = (judgments: object[]) => ws.ok('/v2/memory/judgments/add', { judgments })
const CLAIM = 'The newsletter claims savings without any source'
const suggest = async (data: object = {}) => (await ws.ok('/v2/memory/suggest', { query: CLAIM, ...data })).primary

async function learn(on = service) {
  on.clock.ahead += 60_000
  await on.drainJobs()
}

const learning = async () => (await ws.ok('/v2/memory/stats/get')).learning

const heads = () =>
  service.database.query<{ version: string; sealed: Uint8Array }>(
    sql`select version, sealed from judgment_head where api_key = ${ws.apiKey}`,
  )

const formatOf = async ({ apiKey }: TestWorkspace) => {
  const [head] = await service.database.query<{ format: string }>(
    sql`select format from judgment_head where api_key = ${apiKey}`,
  )
  return head?.format
}

describe('what is learned from the history of an API key', () => {
  test('takes the place of the formula from 200 judgments on, and says what spoke how loudly', async () => {
    await add(history(199))
    await learn()
    expect((await suggest())?.basis).toMatchObject({ method: 'formula', measured: null })
    expect(await learning()).toEqual({ status: 'tooFewJudgments', learnedAt: null })
    await add(history(300))
    expect(await learning()).toEqual({ status: 'pending', learnedAt: null })
    await learn()
    expect(await learning()).toEqual({ status: 'ready', learnedAt: expect.any(Number) })
    const learned = await suggest()
    expect(learned).toMatchObject({ recommendation: 'reject', basis: { method: 'learned' } })
    expect(learned?.confidence).toBeGreaterThan(0.75)
    const { inputs, measured, baseRate } = learned?.basis ?? { inputs: [] }
    expect(inputs.map(({ input }) => input)).toContain('wordModel')
    expect(inputs.every(({ says, logOdds }) => (says === 'approve' || says === 'reject') && logOdds > 0)).toBe(true)
    expect(inputs.map(({ logOdds }) => logOdds)).toEqual(inputs.map(({ logOdds }) => logOdds).toSorted((a, b) => b - a))
    expect(baseRate).toBeCloseTo(0.42, 1)
    expect(measured?.forecasts).toBe(220)
    expect(measured?.accuracy).toBeGreaterThan(measured?.majority ?? 1)
    expect(measured?.auc).toBeGreaterThan(0.75)
  })

  test('counts the record of the author if the caller names one', async () => {
    await add(history(300))
    await learn()
    const logo = { query: 'The newsletter shows the partner logo with enough clear space' }
    const [unknown, mallory, other] = [
      await suggest(logo),
      await suggest({ ...logo, contentUserId: 'mallory' }),
      await suggest({ ...logo, contentUserId: 'author1' }),
    ]
    expect(unknown?.basis.inputs.map(({ input }) => input)).not.toContain('author')
    const approval = (of: typeof mallory) =>
      of === null ? Number.NaN : of.recommendation === 'approve' ? of.confidence : 1 - of.confidence
    expect(approval(mallory)).toBeLessThan(approval(other) - 0.2)
    expect(mallory?.basis.inputs.find(({ input }) => input === 'author')).toMatchObject({ says: 'reject' })
  })

  test('counts no author where the operator has switched that off', async () => {
    const off = await startAlone({ MEMORY_AUTHORS: 'off' })
    ws = await newWorkspace(off)
    await add(history(250))
    await learn(off)
    const [unnamed, mallory] = [await suggest(), await suggest({ contentUserId: 'mallory' })]
    expect(mallory?.basis).toMatchObject({ method: 'learned' })
    expect(mallory).toEqual(unnamed)
    await off.app.http.close()
    await off.database.close()
  })

  test('is the same for the same judgments', async () => {
    await add(history(250))
    await learn()
    const first = await suggest()
    const again = await newWorkspace(service)
    ws = again
    await add(history(250))
    await learn()
    const second = await suggest()
    expect({ ...second, supportingRecordIds: 0 }).toEqual({ ...first, supportingRecordIds: 0 })
  })

  test('is fitted again when the judgments have grown by a tenth', async () => {
    await add(history(250))
    await learn()
    const [before] = await heads()
    await add([judgment(250)])
    await learn()
    expect((await heads())[0]?.version).toBe(before?.version)
    await add(history(280))
    service.clock.ahead += 3_600_000
    await learn()
    expect((await heads())[0]?.version).not.toBe(before?.version)
  })

  test('is stored encrypted, and fitted again if it cannot be read', async () => {
    await add(history(250))
    await learn()
    const [head] = await heads()
    expect(Buffer.from(head?.sealed ?? []).includes('words')).toBe(false)
    await service.database.query(sql`
      update judgment_head set sealed = ${Buffer.from('broken')}, version = 'head_broken' where api_key = ${ws.apiKey}`)
    expect((await suggest())?.basis.method).toBe('formula')
    expect(await heads()).toEqual([])
    expect((await learning()).status).toBe('pending')
    service.clock.ahead += 3_600_000
    await learn()
    expect((await suggest())?.basis.method).toBe('learned')
  })

  test('is pending while what was learned is of another version', async () => {
    await add(history(250))
    await learn()
    await service.database.query(sql`update judgment_head set format = 'another' where api_key = ${ws.apiKey}`)
    expect((await suggest())?.basis.method).toBe('formula')
    expect(await learning()).toEqual({ status: 'pending', learnedAt: null })
  })

  test('is fitted again if it is of an older form or under another key, and after a day if it is of a newer form', async () => {
    await add(history(250))
    await learn()
    const { form, unicode } = HEAD_FORM
    const formatAfter = async (format: string) => {
      const fittedAt = Date.now() + service.clock.ahead
      await service.database.query(sql`
        update judgment_head set format = ${format}, fitted_at = ${fittedAt}::bigint where api_key = ${ws.apiKey}`)
      service.clock.ahead += 3_600_000
      await learn()
      return formatOf(ws)
    }
    const own = `${form}/${unicode}/test`
    for (const format of ['', `${form - 1}/99.0/test`, `${form}/9.0/test`, `${own}-other-key`])
      expect(await formatAfter(format)).toBe(own)
    for (const format of [`${form + 1}/1.0/test`, `${form}/99.0/test`]) {
      expect(await formatAfter(format)).toBe(format)
      // Nor as the judgments grow.
      await add(history(300))
      expect(await formatAfter(format)).toBe(format)
      service.clock.ahead += DAY
      await learn()
      expect(await formatOf(ws)).toBe(own)
    }
  })
})

describe('is forgotten in the transaction that', () => {
  const forgotten = async () => (await heads()).length === 0 && (await suggest())?.basis.method !== 'learned'

  beforeEach(async () => {
    await add(history(250))
    await learn()
    expect(await heads()).toHaveLength(1)
  })

  test('deletes one of the judgments; it is learned again from the others', async () => {
    await ws.ok('/v2/memory/judgments/delete', { recordIds: ['r7'] })
    expect(await forgotten()).toBe(true)
    service.clock.ahead += 3_600_000
    await learn()
    expect((await suggest())?.basis.method).toBe('learned')
  })

  test('overwrites one with another decision or content', async () => {
    await add([{ ...judgment(7), content: 'Something else' }])
    expect(await forgotten()).toBe(true)
  })

  test('erases the data of an author', async () => {
    await ws.ok('/v2/users/data/delete', { userIds: ['mallory'] })
    await service.drainJobs()
    expect(await forgotten()).toBe(true)
  })

  test('but not where a judgment is added again as it was, or only its reasoning changes', async () => {
    await add([judgment(7), { ...judgment(8), reasoning: 'Said better.' }])
    expect(await heads()).toHaveLength(1)
  })

  test('deletes the place of a judgment, or the API key', async () => {
    await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] })
    await add([{ ...judgment(300), organizationId: 'acme' }])
    service.clock.ahead += 8 * DAY
    await learn()
    expect(await heads()).toHaveLength(1)
    await ws.ok('/v2/organizations/delete', { organizationIds: ['acme'] })
    expect(await forgotten()).toBe(true)
  })
})

test('a fit that runs while a judgment is deleted stores nothing', async () => {
  await add(history(250))
  await service.database.query(sql`
    insert into judgment_head_fit (api_key, attempt, is_running, due_at) values (${ws.apiKey}, 5, true, 0)`)
  await ws.ok('/v2/memory/judgments/delete', { recordIds: ['r3'] })
  const [fit] = await service.database.query<{ attempt: number; running: boolean }>(sql`
    select attempt, is_running as running from judgment_head_fit where api_key = ${ws.apiKey}`)
  expect(fit).toEqual({ attempt: 6, running: false })
})
