import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  ws = await newWorkspace(service)
})

const DAY = 86_400_000
const START = 1_600_000_000_000
/** One decision a day, in turn: every claim is rejected, every banner approved. */
const history = Array.from({ length: 100 }, (_, i) => ({
  recordId: `r${i}`,
  decision: i % 2 === 0 ? 'reject' : 'approve',
  reasoning: 'As the guide says.',
  content: `${i % 2 === 0 ? 'Savings claim without a source on the landing page' : 'Partner banner with enough clear space'}, variant ${i}`,
  actionUser: { userId: `u${i % 3}`, name: 'Someone' },
  createdAt: START + i * DAY,
}))

const evaluationsOf = async (data: object = {}) => (await ws.ok('/v2/memory/evaluations/get', data)).evaluations

async function completed() {
  await service.drainJobs()
  const [latest] = await evaluationsOf()
  if (!latest?.report) throw new Error(`The latest evaluation has no report: ${JSON.stringify(latest)}`)
  return { ...latest, report: latest.report }
}

describe('an evaluation of the decision memory', () => {
  test('runs in the background and stores its report', async () => {
    await ws.ok('/v2/memory/judgments/add', { judgments: history })
    const started = await ws.call('/v2/memory/evaluate', {})
    expect([started.status, started.body.result]).toEqual([202, { evaluationId: expect.stringMatching(/^eval_/) }])
    const { evaluationId } = started.body.result
    expect(await evaluationsOf()).toEqual([
      {
        evaluationId,
        status: 'queued',
        from: null,
        read: 0,
        total: null,
        createdAt: expect.any(Number),
        finishedAt: null,
        report: null,
      },
    ])
    const done = await completed()
    expect(await evaluationsOf({ evaluationId })).toEqual([done])
    expect(done).toMatchObject({ status: 'completed', from: START + 69 * DAY, read: 100, total: 100 })
    expect(done.finishedAt).toBeGreaterThanOrEqual(done.createdAt)
    expect(done.report).toMatchObject({
      judgments: 100,
      sided: 100,
      asked: 31,
      everyNth: 1,
      model: null,
      coverage: 1,
      quality: { accuracy: 1, auc: 1, ece: expect.any(Number), brier: expect.any(Number) },
      majority: { accuracy: expect.any(Number), accuracyWhereAnswered: expect.any(Number) },
      scopes: { document: 0, organization: 0, apiKey: 31 },
      conflicts: 0,
      searches: { review: { found: expect.any(Number) }, content: { found: 1, anyAlike: 1, alike: 1 } },
      offTopic: { asked: 40, answered: 0 },
    })
    const { calibration, overTime } = done.report
    const counted = (rows: { count: number }[]) => rows.reduce((sum, { count }) => sum + count, 0)
    expect(counted(calibration)).toBe(31)
    expect(overTime.reduce((sum: number, { asked }: { asked: number }) => sum + asked, 0)).toBe(31)
    expect(overTime.length).toBeGreaterThan(10)
  })

  test('asks about the judgments since a given time', async () => {
    await ws.ok('/v2/memory/judgments/add', { judgments: history })
    const from = START + 90 * DAY
    await ws.ok('/v2/memory/evaluate', { from })
    const done = await completed()
    expect([done.from, done.report.from, done.report.asked]).toEqual([from, from, 10])
  })

  test('of an API key without judgments measures nothing', async () => {
    await ws.ok('/v2/memory/evaluate', {})
    const done = await completed()
    expect(done).toMatchObject({ status: 'completed', read: 0, total: 0, report: { asked: 0, coverage: null } })
    expect(done.report.quality).toEqual({ accuracy: null, auc: null, ece: null, brier: null })
  })

  test('runs once at a time for an API key; the last 20 are kept', async () => {
    const ids: string[] = []
    for (let i = 0; i < 22; i++) {
      ids.push((await ws.ok('/v2/memory/evaluate', {})).evaluationId)
      const second = await ws.call('/v2/memory/evaluate', {})
      expect([second.status, second.body.error.status]).toEqual([400, 'FAILED_PRECONDITION'])
      await service.drainJobs()
    }
    const kept = (await evaluationsOf()).map(({ evaluationId }: { evaluationId: string }) => evaluationId)
    expect(kept.toSorted()).toEqual(ids.slice(2).toSorted())
  })

  test('of another API key is not found', async () => {
    const { evaluationId } = await ws.ok('/v2/memory/evaluate', {})
    const other = await newWorkspace(service)
    const found = await other.call('/v2/memory/evaluations/get', { evaluationId })
    expect([found.status, found.body.error.status]).toEqual([404, 'NOT_FOUND'])
    expect((await other.ok('/v2/memory/evaluations/get', {})).evaluations).toEqual([])
  })
})
