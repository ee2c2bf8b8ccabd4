import { beforeAll, describe, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'

const DAY = 86_400_000
const ada = { userId: 'ada', name: 'Ada Lovelace' }
const bob = { userId: 'bob', name: 'Bob' }

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }, { organizationId: 'beta' }] })
  for (const organizationId of ['acme', 'beta']) {
    await ws.ok('/v2/organizations/documents/add', { organizationId, documents: [{ documentId: 'doc' }] })
  }
  const ago = (days: number) => Date.now() - days * DAY
  const one = (recordId: string, decision: string, reasoning: string, more: object) => ({
    recordId,
    decision,
    reasoning,
    actionUser: ada,
    ...more,
  })
  const thread = { annotationId: 'thread' }
  await ws.ok('/v2/memory/judgments/add', {
    judgments: [
      one('logo', 'approved', 'The logo keeps enough clear space.', {
        organizationId: 'acme',
        documentId: 'doc',
        content: 'A banner with our brand mark.',
        createdAt: ago(40),
        ...thread,
      }),
      one('claim', 'rejected', 'The claim about savings lacks evidence.', {
        organizationId: 'acme',
        content: 'Save half of your energy bill!',
        contentType: 'copy',
        createdAt: ago(20),
        actionUser: bob,
        ...thread,
      }),
      one('evidence', 'reject', 'The savings claim needs a source as evidence.', {
        organizationId: 'beta',
        documentId: 'doc',
        createdAt: ago(2),
        ...thread,
      }),
      one('agent', 'Approve', 'Savings evidence is cited.', {
        agent: { agentId: 'checker', agentFields: { model: 'm' } },
        createdAt: ago(0.5),
      }),
    ],
  })
})

const search = (data: object) => ws.ok('/v2/memory/search', data)
const idsOf = ({ results }: { results: { recordId: string }[] }) => results.map(({ recordId }) => recordId)
const savings = { query: 'evidence for the savings claim' }

describe('a warning that nothing fits', () => {
  test('stands beside results that fill the limit, where they share no more with the query than unrelated texts do', async () => {
    const query = 'Which recipe for bread of rye flour is the best for the winter'
    const warnings = [expect.stringContaining('Nothing that was found fits')]
    expect(await search({ query, limit: 1 })).toMatchObject({ results: [{ scope: 'apiKey' }], warnings })
  })

  test('is left out where a judgment fits, by a sentence or by one word', async () => {
    for (const query of [savings.query, 'logo', 'claims', 'Does the logo keep its space?'])
      expect([query, (await search({ query })).warnings]).toEqual([query, undefined])
  })

  test('says so where nothing was found, unless there is nothing in scope', async () => {
    expect((await search({ query: 'zzz' })).warnings).toEqual([expect.stringContaining('anything in common')])
    expect((await search({ query: 'zzz', filters: { reviewerId: 'nobody' } })).warnings).toBeUndefined()
  })
})

test('includeContent returns what was reviewed, and the sentences that match; otherwise neither is returned', async () => {
  const asked = { ...savings, organizationId: 'acme', limit: 1 }
  const { results } = await search({ ...asked, includeContent: true })
  expect(results).toMatchObject([
    {
      recordId: 'claim',
      content: 'Save half of your energy bill!',
      highlights: ['The claim about savings lacks evidence.'],
    },
  ])
  const byContent = await search({ ...asked, query: 'energy bills', embeddingType: 'content', includeContent: true })
  expect(byContent.results[0]).toMatchObject({ highlights: ['Save half of your energy bill!'] })
  const [plain] = (await search(asked)).results
  expect(plain).not.toHaveProperty('content')
  expect(plain).not.toHaveProperty('highlights')
  const recent = await search({ organizationId: 'acme', recencyDays: 21, includeContent: true })
  expect(recent.results).toMatchObject([{ recordId: 'claim', content: 'Save half of your energy bill!' }])
})

describe('a search', () => {
  test('returns judgments as specified, the most relevant first, similarity between 0 and 1', async () => {
    const { results, totalInScope, searchLatencyMs } = await search({ query: 'logo clear space', limit: 1 })
    expect(results).toEqual([
      {
        recordId: 'logo',
        reasoning: 'The logo keeps enough clear space.',
        decision: 'approved',
        confidence: 1,
        actionUser: ada,
        createdAt: expect.any(Number),
        similarity: expect.any(Number),
        scope: 'apiKey',
        agent: null,
      },
    ])
    expect(results[0]?.similarity).toBeGreaterThan(0.3)
    expect(results[0]?.similarity).toBeLessThanOrEqual(1)
    expect(totalInScope).toBe(4)
    expect(searchLatencyMs).toBeGreaterThan(0)
  })

  test('shows the agent where one decided', async () => {
    const { results } = await search({ ...savings, filters: { judgeType: 'agent' } })
    expect(results).toMatchObject([{ recordId: 'agent', agent: { agentId: 'checker', agentFields: { model: 'm' } } }])
  })

  test('looks at decision and reasoning, with embeddingType content at what was reviewed', async () => {
    expect(idsOf(await search({ query: 'energy bill', embeddingType: 'content', limit: 1 }))).toEqual(['claim'])
    expect((await search({ query: 'lacks', embeddingType: 'review', limit: 1 })).results[0]?.recordId).toBe('claim')
    expect(idsOf(await search({ query: 'lacks', limit: 1 }))).toEqual(['claim'])
  })

  test.each([
    ['apiKey without ids', {}, 'apiKey', 4],
    ['organization with organizationId', { organizationId: 'acme' }, 'organization', 2],
    ['document with both ids', { organizationId: 'beta', documentId: 'doc' }, 'document', 1],
    [
      'apiKey when asked for, whatever the ids',
      { scope: 'apiKey', organizationId: 'beta', documentId: 'doc' },
      'apiKey',
      4,
    ],
    [
      'organization when asked for',
      { scope: 'organization', organizationId: 'beta', documentId: 'x' },
      'organization',
      1,
    ],
    ['nothing in an unknown organization', { organizationId: 'nowhere' }, 'organization', 0],
  ])('has the scope %s', async (_, ids, scope, totalInScope) => {
    const found = await search({ ...savings, ...ids })
    expect(found.totalInScope).toBe(totalInScope)
    for (const result of found.results) expect(result.scope).toBe(scope)
  })

  test('a place that does not exist is named in warnings', async () => {
    expect((await search({ ...savings, organizationId: 'nowhere' })).warnings).toEqual([
      'There is no organization nowhere.',
    ])
    const ids = { organizationId: 'beta', documentId: 'no-doc' }
    const warnings = ['There is no document no-doc in the organization beta.']
    expect((await search({ ...savings, ...ids })).warnings).toEqual(warnings)
    expect((await search({ recencyDays: 9, ...ids })).warnings).toEqual(warnings)
    expect(await search({ ...savings, organizationId: 'acme', filters: { contentType: 'none' } })).not.toHaveProperty(
      'warnings',
    )
  })

  test.each([
    ['decision, whose synonyms are one', { decision: 'approve' }, ['agent', 'logo']],
    ['decision in the other spelling', { decision: 'rejected' }, ['claim', 'evidence']],
    ['judgeType', { judgeType: 'human' }, ['claim', 'evidence', 'logo']],
    ['contentType', { contentType: 'copy' }, ['claim']],
    ['reviewerId', { reviewerId: 'bob' }, ['claim']],
    [
      'dateRange in epoch milliseconds',
      { dateRange: { start: Date.now() - 21 * DAY, end: Date.now() - DAY } },
      ['claim', 'evidence'],
    ],
    [
      'dateRange in ISO-8601',
      { dateRange: { start: new Date(Date.now() - 3 * DAY).toISOString() } },
      ['agent', 'evidence'],
    ],
    ['documentIds, in any organization searched', { documentIds: ['doc', 'nowhere'] }, ['evidence', 'logo']],
    ['documentIds, of which an empty list admits none', { documentIds: [] }, []],
    ['excludeDocumentIds, which keeps what has no document', { excludeDocumentIds: ['doc'] }, ['agent', 'claim']],
    [
      'excludeDocumentIds, of which an empty list excludes none',
      { excludeDocumentIds: [] },
      ['agent', 'claim', 'evidence', 'logo'],
    ],
    ['all together', { decision: 'reject', judgeType: 'human', reviewerId: 'ada' }, ['evidence']],
  ])('filters by %s', async (_, filters, ids) => {
    const found = await search({ query: 'savings evidence, or enough clear space', filters })
    expect(idsOf(found).sort()).toEqual(ids)
    expect(found.totalInScope).toBe(ids.length)
  })

  test('takes the ids of its place by their short names too, the full ones win', async () => {
    const total = async (ids: object) => (await search({ ...savings, ...ids })).totalInScope
    expect(await total({ orgId: 'acme' })).toBe(2)
    expect(await total({ orgId: 'beta', docId: 'doc' })).toBe(1)
    expect(await total({ orgId: 'beta', organizationId: 'acme' })).toBe(2)
    expect(idsOf(await search({ orgId: 'acme', filters: { annotationId: 'thread' } }))).toEqual(['logo', 'claim'])
  })

  test.each([
    ['query', {}],
    ['query', { query: '' }],
    ['query', { query: null, filters: { decision: 'approve' } }],
    ['organizationId', { ...savings, documentId: 'doc' }],
    ['organizationId', { ...savings, documentId: 'doc', scope: 'apiKey' }],
    ['organizationId', { ...savings, scope: 'organization' }],
    ['documentId', { ...savings, scope: 'document', organizationId: 'acme' }],
    ['organizationId', { filters: { annotationId: 'thread' } }],
    ['scope', { ...savings, scope: 'world' }],
    ['filters.side', { ...savings, filters: { side: 'disagree' } }],
    ['embeddingType', { ...savings, embeddingType: 'all' }],
    ['limit', { ...savings, limit: 0 }],
    ['limit', { ...savings, limit: 51 }],
    ['limit', { ...savings, limit: 1.5 }],
    ['recencyDays', { recencyDays: 0 }],
    ['recencyDays', { recencyDays: 366 }],
    ['filters.judgeType', { ...savings, filters: { judgeType: 'robot' } }],
    ['filters.documentIds[0]', { ...savings, filters: { documentIds: [''] } }],
    ['filters.excludeDocumentIds', { ...savings, filters: { excludeDocumentIds: 'doc' } }],
    ['organizationId', { ...savings, docId: 'doc' }],
    ['orgId', { ...savings, orgId: 7 }],
    ['filters.dateRange.start', { ...savings, filters: { dateRange: { start: 2, end: 1 } } }],
    ['filters.dateRange.end', { ...savings, filters: { dateRange: { end: 'yesterday' } } }],
  ])('INVALID_ARGUMENT names %s of %j', async (path, data) => {
    const { status, body } = await ws.call('/v2/memory/search', data)
    expect([status, body.error.status, body.error.details.issues[0].path]).toEqual([400, 'INVALID_ARGUMENT', path])
  })

  test('returns 10 by default, at most 50, and a selective filter still fills the limit', async () => {
    const own = await newWorkspace(service)
    const judgments = Array.from({ length: 400 }, (_, i) => ({
      recordId: `r${i}`,
      decision: i % 20 === 0 ? 'reject' : 'approve',
      reasoning: `Colour contrast of item ${i} was measured.`,
      actionUser: i % 20 === 0 ? bob : ada,
    }))
    await own.ok('/v2/memory/judgments/add', { judgments })
    const query = 'colour contrast'
    expect((await own.ok('/v2/memory/search', { query })).results).toHaveLength(10)
    expect((await own.ok('/v2/memory/search', { query, limit: 50 })).results).toHaveLength(50)
    const rare = await own.ok('/v2/memory/search', { query, limit: 15, filters: { reviewerId: 'bob' } })
    expect([rare.results.length, rare.totalInScope]).toEqual([15, 20])
  })
})

describe('the shortcuts', () => {
  test('annotationId reads one thread of one organization, oldest first, with similarity 1', async () => {
    const found = await search({ organizationId: 'acme', filters: { annotationId: 'thread' } })
    expect(found.results).toMatchObject([
      { recordId: 'logo', similarity: 1, scope: 'organization' },
      { recordId: 'claim', similarity: 1, scope: 'organization' },
    ])
    expect(found.totalInScope).toBe(2)
  })

  test('annotationId clamps to the scope, keeps the other filters and the limit, and counts all', async () => {
    const filters = { annotationId: 'thread' }
    const read = (data: object) => search({ organizationId: 'acme', filters, ...data })
    expect(idsOf(await read({ documentId: 'doc' }))).toEqual(['logo'])
    expect(idsOf(await read({ scope: 'apiKey' }))).toEqual(['logo', 'claim'])
    expect(idsOf(await read({ scope: 'document' }))).toEqual(['logo', 'claim'])
    expect(idsOf(await read({ filters: { ...filters, decision: 'reject' } }))).toEqual(['claim'])
    expect(await read({ limit: 1 })).toMatchObject({ results: [{ recordId: 'logo' }], totalInScope: 2 })
  })

  test('recencyDays reads the last N times 24 hours, newest first, with similarity 1', async () => {
    const found = await search({ recencyDays: 21 })
    expect(idsOf(found)).toEqual(['agent', 'evidence', 'claim'])
    expect(found.results[0]).toMatchObject({ similarity: 1, scope: 'apiKey' })
    expect(await search({ recencyDays: 21, limit: 2 })).toMatchObject({ totalInScope: 3, results: [{}, {}] })
    expect(idsOf(await search({ recencyDays: 1 }))).toEqual(['agent'])
    expect(idsOf(await search({ recencyDays: 365, organizationId: 'beta' }))).toEqual(['evidence'])
    expect(await search({ recencyDays: 365, limit: 1, filters: { excludeDocumentIds: ['doc'] } })).toMatchObject({
      results: [{ recordId: 'agent' }],
      totalInScope: 2,
    })
    expect(idsOf(await search({ recencyDays: 365, filters: { decision: 'approved' } }))).toEqual(['agent', 'logo'])
  })

  test('annotationId beats recencyDays, which beats dateRange; both ignore the query', async () => {
    const dateRange = { start: Date.now() - DAY, end: Date.now() }
    const filters = { annotationId: 'thread', dateRange }
    expect(idsOf(await search({ ...savings, recencyDays: 1, organizationId: 'acme', filters }))).toEqual([
      'logo',
      'claim',
    ])
    expect(idsOf(await search({ query: 'logo', recencyDays: 3, filters: { dateRange } }))).toEqual([
      'agent',
      'evidence',
    ])
    expect(idsOf(await search({ query: '', recencyDays: 1 }))).toEqual(['agent'])
  })
})
