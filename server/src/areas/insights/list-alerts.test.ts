import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startAlone, type TestWorkspace } from '../../../test/running-service.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { memoryAlerts } from './raise-alerts.worker.ts'

const DAY = 86_400_000
let service: Service

beforeAll(async () => {
  service = await startAlone()
})

interface Decided {
  decision: string
  daysAgo: number
  user?: string
  more?: object
}

let count = 0
const decide = (to: TestWorkspace, times: number, { decision, daysAgo, user = 'ann', more = {} }: Decided) =>
  to.ok('/v2/memory/judgments/add', {
    judgments: Array.from({ length: times }, () => ({
      recordId: `a${++count}`,
      decision,
      reasoning: 'A secret reason.',
      actionUser: { userId: user, name: user },
      createdAt: Date.now() - daysAgo * DAY,
      ...more,
    })),
  })

/** Lets the worker look through everything again. */
async function lookThrough() {
  service.clock.ahead += 2 * 3_600_000
  await service.drainJobs()
}
const alerts = (of: TestWorkspace) => of.ok('/v2/memory/alerts/list')

async function drifted(config?: object): Promise<TestWorkspace> {
  const ws = await newWorkspace(service)
  if (config) await ws.ok('/v2/memory/alerts/config/update', { config })
  await decide(ws, 30, { decision: 'approve', daysAgo: 90 })
  await decide(ws, 30, { decision: 'reject', daysAgo: 3 })
  await lookThrough()
  return ws
}

test('drift of the approval rate is an alert with numbers, and is raised once', async () => {
  const ws = await drifted()
  const [alert, ...others] = await alerts(ws)
  expect(others).toEqual([])
  expect(alert).toMatchObject({
    apiKey: ws.apiKey,
    alertType: 'standards_drift',
    severity: 'high',
    title: 'Approvals of all content fall',
    evidence: {
      metric: 'approvalRate',
      baseline: 1,
      current: 0,
      window: '30d',
      knowledgeSourceId: null,
      ruleRef: null,
    },
    status: 'active',
  })
  expect(alert?.evidence.sourceRecordIds).toHaveLength(10)
  await decide(ws, 1, { decision: 'reject', daysAgo: 1 })
  await lookThrough()
  expect(await alerts(ws)).toHaveLength(1)
})

test('steady decisions raise nothing', async () => {
  const ws = await newWorkspace(service)
  for (const daysAgo of [3, 90]) {
    await decide(ws, 15, { decision: 'approve', daysAgo })
    await decide(ws, 15, { decision: 'reject', daysAgo })
  }
  await lookThrough()
  expect(await alerts(ws)).toEqual([])
})

test('sudden disagreement of reviewers on the same items is an alert', async () => {
  const ws = await newWorkspace(service)
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] })
  await ws.ok('/v2/organizations/documents/add', { organizationId: 'acme', documents: [{ documentId: 'doc' }] })
  for (let item = 0; item < 24; item++) {
    const isRecent = item < 12
    const more = { organizationId: 'acme', documentId: 'doc', content: `Item ${item}` }
    const daysAgo = isRecent ? 2 : 60
    const side = item % 2 === 0 ? 'approve' : 'reject'
    await decide(ws, 1, { decision: side, daysAgo, user: 'ann', more })
    await decide(ws, 1, {
      decision: isRecent ? (side === 'approve' ? 'reject' : 'approve') : side,
      daysAgo,
      user: 'bob',
      more,
    })
  }
  await lookThrough()
  expect(await alerts(ws)).toMatchObject([
    { alertType: 'anomaly', evidence: { metric: 'violationRate', baseline: 0, current: 1, window: '14d' } },
  ])
})

/** Decisions of the months before, and of the last days; of the latter some have a reason of their own. */
async function decided(giving: {
  count: number
  users: string[]
  reasoning: string
  before?: number
  approving?: number
}) {
  const ws = await newWorkspace(service)
  const { count: own, users, reasoning, before = 0, approving = 0 } = giving
  for (const daysAgo of [3, 90]) {
    const usual = daysAgo === 3 ? 20 : 40
    await decide(ws, usual, { decision: 'approve', daysAgo })
    await decide(ws, usual, { decision: 'reject', daysAgo })
    const times = daysAgo === 3 ? own : before
    for (const [i, user] of users.entries()) {
      const ofUser = Math.ceil((times - i) / users.length)
      if (ofUser > 0) await decide(ws, ofUser, { decision: 'reject', daysAgo, user, more: { reasoning } })
    }
  }
  if (approving > 0) await decide(ws, approving, { decision: 'approve', daysAgo: 3, more: { reasoning } })
  await lookThrough()
  return alerts(ws)
}

const reasoning = 'The colour contrast is below the guideline.'

test('a reason that several reviewers have begun to give is an alert, in numbers', async () => {
  const [alert, ...others] = await decided({ count: 12, users: ['ann', 'bob'], reasoning })
  expect(others).toEqual([])
  expect(alert).toMatchObject({
    alertType: 'emerging_standard',
    severity: 'medium',
    title: 'A new reason to reject',
    evidence: { metric: 'enforcementRate', baseline: 0, current: 12 / 52, window: '30d', knowledgeSourceId: null },
  })
  expect(alert?.evidence.sourceRecordIds).toHaveLength(10)
  expect(JSON.stringify(alert)).not.toContain('contrast')
})

test('what one reviewer alone says, few say, or was said before is no new reason', async () => {
  expect(await decided({ count: 12, users: ['ann'], reasoning })).toEqual([])
  expect(await decided({ count: 4, users: ['ann', 'bob'], reasoning })).toEqual([])
  expect(await decided({ count: 12, users: ['ann', 'bob'], reasoning, before: 8 })).toEqual([])
})

test('what is said for both sides, or was said more than a third as often before, is no new reason', async () => {
  expect(await decided({ count: 12, users: ['ann', 'bob'], reasoning, approving: 8 })).toEqual([])
  expect(await decided({ count: 50, users: ['ann', 'bob'], reasoning, before: 20 })).toEqual([])
})

test('at most three alerts are raised in seven days, whatever is asked for', async () => {
  const ws = await newWorkspace(service)
  await ws.ok('/v2/memory/alerts/config/update', { config: { maxAlertsPerWeek: 9 } })
  await drift(ws, 'approve', 'reject', ['ad', 'post'])
  await drift(ws, 'reject', 'approve', ['page', 'mail'])
  await lookThrough()
  expect(await alerts(ws)).toHaveLength(3)
})

test('a type of content has an alert of its own where it drifts the other way than all content, or further', async () => {
  const titles = async (ws: TestWorkspace) => {
    await lookThrough()
    return (await alerts(ws)).map(({ title }) => title).toSorted()
  }
  const opposite = await newWorkspace(service)
  await drift(opposite, 'approve', 'reject', ['ad', 'post', 'page'])
  await drift(opposite, 'reject', 'approve', ['mail'])
  expect(await titles(opposite)).toEqual(['Approvals of all content fall', 'Approvals of mail rise'])
  const further = await newWorkspace(service)
  await drift(further, 'approve', 'reject', ['ad'])
  await drift(further, 'approve', 'approve', ['post', 'page', 'mail'])
  expect(await titles(further)).toEqual(['Approvals of ad fall', 'Approvals of all content fall'])
})

/** Lets the decisions on these types of content turn. */
async function drift(ws: TestWorkspace, before: string, now: string, contentTypes: string[]) {
  for (const contentType of contentTypes) {
    await decide(ws, 20, { decision: before, daysAgo: 90, more: { contentType } })
    await decide(ws, 20, { decision: now, daysAgo: 3, more: { contentType } })
  }
}

test('rules that have not changed for a year are an alert, which goes with them', { timeout: 120_000 }, async () => {
  const ws = await newWorkspace(service)
  const file = { base64: 'LSBBIHJ1bGUu', mimeType: 'text/plain', fileName: 'rules.md', fileSize: 9 }
  const { sourceId } = await ws.ok('/v2/memory/knowledge/ingest', { source: 'inline', file })
  await service.drainJobs()
  await service.database.query(sql`
    update knowledge_source set updated_at = now_ms() - ${400 * DAY}::bigint where api_key = ${ws.apiKey}`)
  await decide(ws, 20, { decision: 'approve', daysAgo: 1 })
  await lookThrough()
  expect(await alerts(ws)).toMatchObject([
    { alertType: 'configuration_drift', severity: 'low', evidence: { knowledgeSourceId: sourceId, current: 400 } },
  ])
  await ws.ok('/v2/memory/knowledge/delete', { sourceId })
  expect(await alerts(ws)).toEqual([])
})

test('a dismissed alert and one acted upon leave the list, an unknown one is NOT_FOUND', async () => {
  for (const path of ['/v2/memory/alerts/dismiss', '/v2/memory/alerts/action'] as const) {
    const ws = await drifted()
    const [alert] = await alerts(ws)
    const data = { alertId: alert?.id, user: { uid: 'ann' } }
    const stranger = await newWorkspace(service)
    expect((await stranger.call(path, data)).status).toBe(404)
    expect(await ws.ok(path, data)).toEqual({ success: true })
    expect(await alerts(ws)).toEqual([])
    expect((await ws.call(path, { alertId: 'alert_unknown' })).body.error.status).toBe('NOT_FOUND')
  }
})

test('the configuration decides what is raised', async () => {
  for (const config of [{ enabled: false }, { enabledAlertTypes: ['anomaly'] }, { maxAlertsPerWeek: 0 }]) {
    const ws = await drifted(config)
    expect(await alerts(ws)).toEqual([])
    expect(await ws.ok('/v2/memory/alerts/config/get')).toEqual({ enabled: true, ...config })
  }
  expect(await alerts(await drifted({ severityThreshold: 'high' }))).toHaveLength(1)
})

test('null gives a setting its default and is refused for the switch; other keys are kept, within a limit', async () => {
  const ws = await newWorkspace(service)
  const [update, get] = ['/v2/memory/alerts/config/update', '/v2/memory/alerts/config/get'] as const
  await ws.ok(update, {
    config: { maxAlertsPerWeek: 1, enabledAlertTypes: ['anomaly'], severityThreshold: 'high', own: 1 },
  })
  await ws.ok(update, { config: { maxAlertsPerWeek: null, enabledAlertTypes: null, severityThreshold: null } })
  expect(await ws.ok(get)).toEqual({ enabled: true, own: 1 })
  const refused = await ws.call(update, { config: { enabled: null } })
  expect(refused.body.error).toMatchObject({ status: 'INVALID_ARGUMENT', message: 'config.enabled must be a boolean' })
  const [large, half] = ['x'.repeat(300_000), 'x'.repeat(150_000)]
  expect((await ws.call(update, { config: { large } })).status).toBe(400)
  await ws.ok(update, { config: { half, own: null } })
  expect((await ws.call(update, { config: { otherHalf: half } })).body.error.status).toBe('INVALID_ARGUMENT')
  expect(await ws.ok(get)).toEqual({ enabled: true, half })
})

test('an alert holds nothing of judgments that are deleted', async () => {
  const ws = await drifted()
  const { evidence } = (await alerts(ws))[0] ?? {}
  await ws.ok('/v2/memory/judgments/delete', { recordIds: evidence?.sourceRecordIds })
  const [alert] = await alerts(ws)
  expect(alert?.evidence.sourceRecordIds).toEqual([])
  expect(JSON.stringify(alert)).not.toContain('secret')
})

test('what could not be looked through is looked through later, without a further judgment', async () => {
  const ws = await newWorkspace(service)
  await decide(ws, 30, { decision: 'approve', daysAgo: 90 })
  await decide(ws, 30, { decision: 'reject', daysAgo: 3 })
  const broken: Db = { query: () => Promise.reject(new Error('connection lost')) }
  service.clock.ahead += 2 * 3_600_000
  const { database, app } = service
  const failing = memoryAlerts({ db: database.work, reads: broken, services: app.services })
  await expect(failing.work(() => {})).rejects.toThrow('connection lost')
  expect(await alerts(ws)).toEqual([])
  await lookThrough()
  expect(await alerts(ws)).toHaveLength(1)
})
