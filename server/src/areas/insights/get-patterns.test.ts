import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'

const DAY = 86_400_000

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] })
})

interface Decided {
  id: string
  reasoning: string
  decision?: string
  user?: string
  daysAgo?: number
  organizationId?: string
}

const decide = (to: TestWorkspace, judgments: Decided[]) =>
  to.ok('/v2/memory/judgments/add', {
    judgments: judgments.map(({ id, reasoning, decision = 'reject', user = 'ada', daysAgo = 1, organizationId }) => ({
      recordId: id,
      decision,
      reasoning,
      contentType: 'proposal',
      actionUser: { userId: user, name: user },
      createdAt: Date.now() - daysAgo * DAY,
      ...(organizationId !== undefined && { organizationId }),
    })),
  })
const patterns = (of = ws) => of.ok('/v2/memory/patterns/get')

test('without judgments there are no patterns', async () => {
  expect(await patterns()).toEqual([])
})

test('a reason that three judgments give in other words around it is one pattern, two are none', async () => {
  await decide(ws, [
    { id: 'b1', reasoning: 'The detailed budget is missing. Come back with one.', user: 'ada' },
    { id: 'b2', reasoning: 'Nice idea. But the detailed budget is missing here!', user: 'bob' },
    { id: 'u1', reasoning: 'Unclear milestones and owners.' },
    { id: 'u2', reasoning: 'Again unclear milestones.' },
  ])
  expect(await patterns()).toEqual([])
  await decide(ws, [{ id: 'b3', reasoning: 'A detailed budget is missing.', user: 'bob', daysAgo: 0.5 }])
  expect(await patterns()).toMatchObject([
    {
      scope: 'apiKey',
      description: 'A detailed budget is missing.',
      category: 'reject',
      sourceCount: 3,
      uniqueReviewers: 2,
      contentType: 'proposal',
      enforcementRate: 1,
      topSourceRecordIds: ['b3', expect.any(String), expect.any(String)],
    },
  ])
})

test('a pattern says how surely its reason leads to the decision', async () => {
  await decide(ws, [
    { id: 'b4', decision: 'approve', reasoning: 'The detailed budget is missing, but small.' },
    { id: 'b5', decision: 'comment', reasoning: 'Is it true that the detailed budget is missing?' },
  ])
  const [budget] = await patterns()
  expect(budget).toMatchObject({ sourceCount: 3, enforcementRate: 3 / 4, confidence: 4 / 7 })
})

test('a pattern whose judgments are all of one organization names it', async () => {
  await decide(
    ws,
    ['o1', 'o2', 'o3', 'o4', 'o5', 'o6'].map((id) => ({
      id,
      reasoning: 'Sponsored links mislead readers.',
      organizationId: 'acme',
      daysAgo: 100,
    })),
  )
  const [sponsored] = await patterns()
  expect(sponsored).toMatchObject({ scope: 'org', organizationId: 'acme', sourceCount: 6 })
})

test('the trend compares the share of the last 90 days with that of the 90 days before', async () => {
  const directions = (await patterns()).map(({ description, trend }) => [description, trend.direction])
  expect(directions).toEqual([
    ['Sponsored links mislead readers.', 'falling'],
    ['A detailed budget is missing.', 'rising'],
  ])
  const [sponsored] = await patterns()
  expect(sponsored?.trend.buckets.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0])
})

test('a trend is one of shares: more judgments of everything are none, nor is a history without earlier ones', async () => {
  const other = await newWorkspace(service)
  const of = (reasoning: string, count: number, daysAgo: number) =>
    Array.from({ length: count }, (_, i) => ({ id: `${reasoning}-${daysAgo}-${i}`, reasoning, daysAgo }))
  await decide(other, [...of('Invoices lack a signature.', 6, 20), ...of('Delivery dates are missing.', 6, 20)])
  const directions = async () =>
    Object.fromEntries((await patterns(other)).map(({ description, trend }) => [description, trend.direction]))
  expect(await directions()).toEqual({
    'Invoices lack a signature.': 'steady',
    'Delivery dates are missing.': 'steady',
  })
  await decide(other, [...of('Invoices lack a signature.', 6, 120), ...of('Delivery dates are missing.', 3, 120)])
  await decide(other, of('Delivery dates are missing.', 12, 40))
  // Six of nine judgments before and six of 24 since; three of nine and 18 of 24.
  expect(await directions()).toEqual({
    'Invoices lack a signature.': 'falling',
    'Delivery dates are missing.': 'rising',
  })
  await decide(other, of('Delivery dates are missing.', 9, 130))
  // Six of 18 before: the same number is less of a larger whole.
  expect(await directions()).toEqual({
    'Invoices lack a signature.': 'steady',
    'Delivery dates are missing.': 'steady',
  })
})

test('a sentence is listed for one side; what the other side says of it has its own words', async () => {
  const other = await newWorkspace(service)
  const of = (decision: string, reasoning: string, count: number) =>
    Array.from({ length: count }, (_, i) => ({ id: `${decision}-${reasoning}-${i}`, decision, reasoning }))
  await decide(other, [
    ...of('approve', 'Refund terms follow the policy.', 5),
    ...of('reject', 'Refund terms follow the policy.', 3),
    ...of('reject', 'Refund terms break the law.', 4),
  ])
  const found = await patterns(other)
  expect(found.map(({ category, description, sourceCount }) => [category, description, sourceCount])).toEqual([
    ['reject', 'Refund terms break the law.', 7],
    ['approve', 'Refund terms follow the policy.', 5],
  ])
  expect(found[1]).toMatchObject({ enforcementRate: 5 / 12 })
})

test('patterns are counted in the stats', async () => {
  const other = await newWorkspace(service)
  await decide(
    other,
    ['s1', 's2', 's3'].map((id) => ({ id, reasoning: 'Off brand imagery.' })),
  )
  expect(await other.ok('/v2/memory/stats/get')).toMatchObject({ totalPatterns: 1 })
})

test('what is deleted leaves the patterns at once', async () => {
  await ws.ok('/v2/memory/judgments/delete', { recordIds: ['b3', 'b2'] })
  const found = await patterns()
  expect(found.map(({ description }) => description)).toEqual(['Sponsored links mislead readers.'])
})
