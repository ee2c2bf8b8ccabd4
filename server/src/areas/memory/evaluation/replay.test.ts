import { beforeAll, describe, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../../test/running-service.ts'
import { accuracy, auc, brierScore, calibrationError, type Forecast, reliability } from '../head/calibration.ts'
import { readHistory } from '../learning/read-history.ts'
import { planEvaluation } from './evaluate.ts'
import { reportOf } from './evaluation-report.ts'
import { type Replay, replay } from './replay.ts'
import { reportPage } from './report-page.ts'

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
})

const CLAIM = 'Savings claim without a source on the landing page'
const LOGO = 'Partner banner with the logo and enough clear space'
/** A history with one decision a day, in turn: every claim is rejected, every logo approved. */
const clear = Array.from({ length: 100 }, (_, i) => {
  const isClaim = i % 2 === 0
  return {
    recordId: `r${String(i).padStart(3, '0')}`,
    decision: isClaim ? 'rejected' : 'approve',
    reasoning: isClaim ? 'No evidence is given.' : 'The brand guide is followed.',
    content: `${isClaim ? CLAIM : LOGO}, variant ${i}`,
    actionUser: { userId: `u${i % 3}`, name: 'Someone' },
    createdAt: 1_600_000_000_000 + i * 86_400_000,
  }
})

/** Like coin tosses. */
const isHeads = (i: number) => (Math.imul(i + 1, 0x9e3779b1) >>> 13) % 2 === 0

async function replayed(judgments: object[], from?: number) {
  ws = await newWorkspace(service)
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] })
  await ws.ok('/v2/organizations/documents/add', { organizationId: 'acme', documents: [{ documentId: 'doc' }] })
  await ws.ok('/v2/memory/judgments/add', { judgments: judgments.toReversed() })
  const tenant = { apiKey: ws.apiKey, workspaceId: ws.id }
  const plan = await planEvaluation(service.database, tenant, { from, now: 0 })
  return { start: plan.from, result: await resultOf(replay(readHistory(service.database, tenant, null), plan)) }
}

async function resultOf(steps: AsyncGenerator<number, Replay>): Promise<Replay> {
  for (;;) {
    const step = await steps.next()
    if (step.done) return step.value
  }
}

const evaluationReport = (title: string, from: number, result: Replay) => reportPage(title, reportOf(from, result))

const forecastsOf = ({ asked }: Replay): Forecast[] =>
  asked.flatMap(({ probability, approve }) => (probability === undefined ? [] : [{ probability, approve }]))

describe('a replay', () => {
  test('of a history that follows a rule finds the rule', async () => {
    const { start, result } = await replayed(clear)
    expect(start).toBe(clear[69]?.createdAt)
    expect(result).toMatchObject({ judgments: 100, sided: 100, withoutContent: 0, offTopicAnswers: 0 })
    expect(result.asked).toHaveLength(31)
    const forecasts = forecastsOf(result)
    expect([forecasts.length, accuracy(forecasts), auc(forecasts)]).toEqual([31, 1, 1])
    expect(result.asked.every(({ isConflict, scope }) => !isConflict && scope === 'apiKey')).toBe(true)
    expect(result.asked.every(({ found }) => found.content.same === 5 && found.content.sided === 5)).toBe(true)
    expect(result.asked.map(({ approvals, rejections }) => approvals + rejections)).toEqual(
      Array.from({ length: 31 }, (_, i) => 69 + i),
    )
  })

  test('of decisions that follow no rule says so', async () => {
    const { result } = await replayed(
      clear.map((each, i) => ({ ...each, decision: isHeads(i) ? 'approve' : 'reject' })),
    )
    expect(result.asked.filter(({ isConflict }) => isConflict).length).toBeGreaterThan(25)
    const forecasts = forecastsOf(result)
    expect(Math.abs(accuracy(forecasts) - 0.5)).toBeLessThan(0.3)
  })

  test('knows only what came before', async () => {
    const { result } = await replayed(clear, 0)
    expect(result.asked).toHaveLength(100)
    // A suggestion needs two rejections, or two approvals, before it.
    expect(result.asked.map(({ probability }) => probability !== undefined)).toEqual(clear.map((_, i) => i >= 4))
    const turned = clear.map((each, i) => ({ ...each, decision: i < 50 ? 'approve' : 'reject' }))
    const { result: after } = await replayed(turned, turned[50]?.createdAt)
    expect(after.asked[0]).toMatchObject({ approve: false, approvals: 50, rejections: 0 })
    expect(after.asked[0]?.probability).toBeGreaterThan(0.9)
  })

  test('does not know what was decided at the same time', async () => {
    const day = 86_400_000
    const { result } = await replayed(
      clear.map((each, i) => ({ ...each, createdAt: 1_600_000_000_000 + Math.floor(i / 10) * day })),
      1_600_000_000_000,
    )
    expect(result.asked.map(({ approvals, rejections }) => approvals + rejections)).toEqual(
      clear.map((_, i) => 10 * Math.floor(i / 10)),
    )
    expect(result).toMatchObject({ judgments: 100, sided: 100 })
  })

  test('does not take what was decided in a thread for a precedent of the same thread', async () => {
    const place = { organizationId: 'acme', documentId: 'doc' }
    const inThreads = (threads: number) =>
      clear.map((each, i) => ({ ...each, ...place, content: CLAIM, annotationId: `t${i % threads}` }))
    const { result: one } = await replayed(inThreads(1))
    expect(
      one.asked.every(({ probability, approvals, rejections }) => !probability && approvals + rejections === 0),
    ).toBe(true)
    expect(one.asked.every(({ found }) => found.content.sided === 0)).toBe(true)
    const { result: many } = await replayed(inThreads(50))
    expect(many.asked.every(({ probability, scope }) => probability !== undefined && scope === 'document')).toBe(true)
    expect(many.asked[0]).toMatchObject({ approvals: 33, rejections: 35 })
  })

  test('asks in the scopes that suggest tries: the narrowest with an answer', async () => {
    const place = { organizationId: 'acme', documentId: 'doc' }
    const { result } = await replayed(
      clear.map((each, i) => (i < 60 ? each : { ...each, organizationId: 'acme', ...(i >= 90 && place) })),
      clear[60]?.createdAt,
    )
    const scopes = result.asked.map(({ scope }) => scope)
    expect([scopes[0], scopes[10], scopes[30], scopes[39]]).toEqual([
      'apiKey',
      'organization',
      'organization',
      'document',
    ])
  })

  test('passes over what took no side, and counts what says nothing of its content', async () => {
    const { result } = await replayed(
      clear.map((each, i) =>
        i % 4 === 0 ? { ...each, decision: 'resolve' } : i % 4 === 1 ? { ...each, content: ' ' } : each,
      ),
      0,
    )
    expect(result).toMatchObject({ judgments: 100, sided: 75, withoutContent: 25 })
    expect(result.asked).toHaveLength(50)
  })
})

describe('its report', () => {
  test('is a page of Markdown with every figure', async () => {
    const { start, result } = await replayed(clear)
    const report = evaluationReport('Some key', start, result)
    expect(report).toContain('Only words were compared.')
    expect(report).toContain('# Some key')
    expect(report).toContain('100 judgments, of which 100 took a side. Since 2020-11-21T12:26:40.000Z, 31 were asked')
    expect(report).toMatch(/\| suggest \| 100\.0 % \| 1\.000 \| 1\.000 \| 0\.0\d\d \| 0\.0\d\d \|/)
    expect(report).toMatch(/\| the more frequent side so far \| 100\.0 % \| 0\.\d{3} \| – \| – \| – \|/)
    expect(report).toContain('Flagged as a conflict: 0.0 %.')
    expect(report).toMatch(/\| content \| 100\.0 % \| 100\.0 % \| 1\.000 \| 0\.4\d\d \|/)
    expect(report).toContain('0 of 40 sentences')
  })

  test('says that there is nothing to measure where there is nothing', async () => {
    const { start, result } = await replayed([])
    const report = evaluationReport('Some key', start, result)
    expect(report).toContain('There is nothing to measure.')
    expect(report).not.toMatch(/NaN|undefined/)
  })

  test('has no figure that cannot be computed', async () => {
    const { start, result } = await replayed(clear.map((each) => ({ ...each, decision: 'approve' })))
    expect(evaluationReport('Some key', start, result)).not.toMatch(/NaN|undefined|Infinity/)
  })
})

describe('the measures', () => {
  const forecast = (probability: number, approve: boolean) => ({ probability, approve })

  test('AUC is the share of pairs in the right order, ties counting half', () => {
    expect(auc([forecast(0.9, true), forecast(0.1, false)])).toBe(1)
    expect(auc([forecast(0.1, true), forecast(0.9, false)])).toBe(0)
    expect(auc([forecast(0.5, true), forecast(0.5, false), forecast(0.9, true)])).toBe(0.75)
  })

  test('calibration compares confidence and accuracy in ten bins from 0.5 to 1', () => {
    expect(brierScore([forecast(0.5, true), forecast(1, true)])).toBe(0.125)
    const forecasts = [forecast(0.76, true), forecast(0.22, true), forecast(1, true), forecast(0, false)]
    expect(reliability(forecasts)).toEqual([
      { from: 0.75, to: 0.8, count: 2, confidence: 0.77, accuracy: 0.5 },
      { from: 0.95, to: 1, count: 2, confidence: 1, accuracy: 1 },
    ])
    expect(calibrationError(forecasts)).toBeCloseTo(0.135, 9)
    expect(accuracy(forecasts)).toBe(0.75)
  })
})
