import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'

const DAY = 86_400_000

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] })
  await ws.ok('/v2/organizations/documents/add', { organizationId: 'acme', documents: [{ documentId: 'doc' }] })
})

let count = 0
const decide = (user: string, decision: string, more: object = {}, to = ws) =>
  to.ok('/v2/memory/judgments/add', {
    judgments: [
      {
        recordId: `p${++count}`,
        decision,
        reasoning: 'No reason.',
        actionUser: { userId: user, name: `Name of ${user}`, email: `${user}@example.com` },
        ...more,
      },
    ],
  })
const profile = (targetUserId?: string, of = ws) => of.ok('/v2/memory/profiles/get', { targetUserId })

test('without a user, or for one who has not judged, the profile is null', async () => {
  expect(await profile()).toBeNull()
  expect(await profile('nobody')).toBeNull()
})

test('the profile counts decisions, and compares the approval rate with that of all reviewers', async () => {
  await decide('ada', 'approve', { organizationId: 'acme' })
  await decide('ada', 'reject', { organizationId: 'acme' })
  await decide('ada', 'comment')
  for (let i = 0; i < 2; i++) await decide('bob', 'rejected')
  expect(await profile('ada')).toMatchObject({
    userId: 'ada',
    name: 'Name of ada',
    email: 'ada@example.com',
    totalJudgments: 3,
    decidedJudgments: 2,
    approvalRate: 0.5,
    scope: { decidedJudgments: 4, approvalRate: 0.25 },
    orgBreakdown: { acme: { organizationId: 'acme', judgments: 2, approvals: 1, approvalRate: 0.5 } },
    avgReviewTimeSeconds: 0,
    twinEligible: false,
    twinAccuracy: null,
  })
})

test('a rate of nothing is null', async () => {
  await decide('cid', 'comment')
  expect(await profile('cid')).toMatchObject({
    approvalRate: null,
    agreement: { compared: 0, agreed: 0, rate: null },
    orgBreakdown: {},
  })
})

test('agreement compares with the majority of the others on the same thread and on the same content of a document', async () => {
  const thread = { organizationId: 'acme', documentId: 'doc', annotationId: 't1' }
  const headline = { organizationId: 'acme', documentId: 'doc', content: 'The headline' }
  const footer = { organizationId: 'acme', documentId: 'doc', content: 'The footer' }
  const tie = { organizationId: 'acme', documentId: 'doc', content: 'The tie' }
  await decide('eve', 'approve', thread)
  await decide('eve', 'reject', headline)
  await decide('eve', 'approve', footer)
  await decide('eve', 'approve', tie)
  // On the thread most disagree, on the headline the only other agrees, nobody else has judged the footer.
  for (const [user, decision] of [
    ['fay', 'reject'],
    ['gus', 'reject'],
    ['hal', 'approve'],
  ] as const)
    await decide(user, decision, thread)
  await decide('fay', 'reject', headline)
  await decide('fay', 'reject', tie)
  await decide('gus', 'approve', tie)
  expect((await profile('eve'))?.agreement).toEqual({ compared: 2, agreed: 1, rate: 0.5 })
})

test('the profile names what the user reviews, when, and what they reject again and again', async () => {
  const at = Date.UTC(2026, 0, 5, 14, 30)
  for (const title of ['A', 'B'])
    await decide('ivy', 'reject', { contentType: 'ad', createdAt: at, reasoning: `Blurry product photos in ${title}.` })
  await decide('ivy', 'approve', { contentType: 'post', createdAt: at - 3_600_000 })
  expect(await profile('ivy')).toMatchObject({
    contentTypes: ['ad', 'post'],
    peakHours: [14, 13],
    topFlags: [{ issue: expect.stringMatching(/^Blurry product photos in [AB]/), count: 2 }],
    lastActive: at,
  })
})

test('content types are counted over all periods, the most frequent first', async () => {
  const of = await newWorkspace(service)
  const judged = (contentType: string, daysAgo: number) =>
    decide('rio', 'approve', { contentType, createdAt: Date.now() - daysAgo * DAY }, of)
  for (const daysAgo of [10, 11, 200, 201, 500, 501]) await judged('clause', daysAgo)
  for (const daysAgo of [12, 13, 14]) await judged('invoice', daysAgo)
  expect((await profile('rio', of))?.contentTypes).toEqual(['clause', 'invoice'])
})

test('a content type whose approval rate moved by 25 points is an evolved standard, and 50 judgments are a twin', async () => {
  const other = await newWorkspace(service)
  const judged = (decision: string, daysAgo: number) =>
    Array.from({ length: 25 }, () => ({
      decision,
      reasoning: 'x',
      contentType: 'ad',
      actionUser: { userId: 'jo', name: 'Jo' },
      createdAt: Date.now() - daysAgo * DAY,
    }))
  await other.ok('/v2/memory/judgments/add', { judgments: [...judged('approve', 200), ...judged('reject', 10)] })
  const { evolvedStandards, twinEligible } = (await profile('jo', other)) ?? {}
  expect(evolvedStandards).toEqual([
    {
      topic: 'ad',
      shiftDate: expect.any(Number),
      oldPattern: 'Approved 100 % of 25.',
      newPattern: 'Approved 0 % of 25.',
    },
  ])
  expect(twinEligible).toBe(true)
})
