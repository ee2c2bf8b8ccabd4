import { beforeAll, describe, expect, test } from 'vitest'
import { newWorkspace, type Service, startConfigured, type TestWorkspace } from '../../../test/running-service.ts'

const DAY = 86_400_000
const ada = { userId: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' }
const bob = { userId: 'bob', name: 'Bob' }

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startConfigured({ EMBEDDER: 'builtin' })
})

async function start(): Promise<void> {
  ws = await newWorkspace(service)
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }, { organizationId: 'beta' }] })
  for (const organizationId of ['acme', 'beta']) {
    await ws.ok('/v2/organizations/documents/add', {
      organizationId,
      documents: [{ documentId: 'doc-1' }, { documentId: 'doc-2' }],
    })
  }
}

const judgment = (recordId: string, more: object = {}) => ({
  recordId,
  decision: 'approve',
  reasoning: `The pricing page ${recordId} follows the style guide.`,
  actionUser: ada,
  ...more,
})
const add = (judgments: object[], more: object = {}) => ws.ok('/v2/memory/judgments/add', { judgments, ...more })
const query = (data: object = {}) => ws.ok('/v2/memory/judgments/query', data)
const search = (data: object) => ws.ok('/v2/memory/search', data)
const idsOf = ({ results }: { results: { recordId: string }[] }) => results.map(({ recordId }) => recordId)

async function refused(path: string, data: object) {
  const { error } = (await ws.call(path, data)).body
  return { status: error.status, issue: error.details.issues[0] }
}

describe('judgments/add', () => {
  beforeAll(start)

  test('returns one result per record id, in the bare result', async () => {
    expect(await add([judgment('a'), judgment('b'), judgment('a')])).toEqual({
      results: {
        a: { success: true, message: 'Added Successfully' },
        b: { success: true, message: 'Added Successfully' },
      },
    })
  })

  test('gives a judgment without an id one that begins with act_', async () => {
    const { results } = await add([{ decision: 'reject', reasoning: 'No.', actionUser: ada }])
    expect(Object.keys(results)).toEqual([expect.stringMatching(/^act_/)])
  })

  test('keeps every field as it was given', async () => {
    const agent = { agentId: 'linter', agentType: 'custom', executionId: 'run-1', agentFields: { severity: 'high' } }
    const createdAt = Date.now() - 400 * DAY
    const given = {
      decision: 'Approved',
      reasoning: 'Because.',
      contentType: 'copy',
      confidence: 0.25,
      agent,
      createdAt,
    }
    await add([{ ...judgment('full'), ...given, content: 'Buy now!', annotationId: 'thread-1' }], {
      organizationId: 'acme',
      documentId: 'doc-1',
    })
    const { results, total } = await query({ organizationId: 'acme', documentId: 'doc-1' })
    const place = { organizationId: 'acme', documentId: 'doc-1' }
    const thread = { annotationId: 'thread-1' }
    expect(results).toEqual([{ recordId: 'full', ...given, actionUser: ada, judgeType: 'agent', ...place, ...thread }])
    expect(total).toBe(1)
  })

  test('confidence defaults to 1, the judge to a human, the time to now; a time in the future counts as now', async () => {
    const before = Date.now()
    await add([
      judgment('plain', { contentType: 'defaults' }),
      judgment('later', { contentType: 'defaults', createdAt: Date.now() + DAY }),
    ])
    const { results } = await query({ contentType: 'defaults' })
    for (const result of results) {
      expect(result).toMatchObject({
        confidence: 1,
        judgeType: 'human',
        agent: null,
        organizationId: null,
        documentId: null,
        annotationId: null,
      })
      expect(result.createdAt).toBeGreaterThan(before - 5_000)
      expect(result.createdAt).toBeLessThan(Date.now() + 5_000)
    }
    expect(results).toHaveLength(2)
  })

  test('overwrites the judgment of an existing record id, which keeps its time unless another is given', async () => {
    const createdAt = Date.now() - 5 * DAY
    await add([judgment('again', { contentType: 'again', createdAt })])
    await add([judgment('again', { contentType: 'again', decision: 'reject', reasoning: 'Changed my mind.' })])
    const { results } = await query({ contentType: 'again' })
    expect(results).toMatchObject([{ recordId: 'again', decision: 'reject', reasoning: 'Changed my mind.', createdAt }])
  })

  test('ids inside a judgment win over those outside', async () => {
    await add(
      [
        judgment('outer'),
        judgment('own-doc', { documentId: 'doc-2' }),
        judgment('own-org', { organizationId: 'beta' }),
      ],
      {
        organizationId: 'acme',
        documentId: 'doc-1',
      },
    )
    const { results } = await query({ limit: 100 })
    const placeOf = (id: string) => {
      const found = results.find(({ recordId }) => recordId === id)
      return [found?.organizationId, found?.documentId]
    }
    expect(placeOf('outer')).toEqual(['acme', 'doc-1'])
    expect(placeOf('own-doc')).toEqual(['acme', 'doc-2'])
    expect(placeOf('own-org')).toEqual(['beta', null])
  })

  test('into an organization or document that does not exist it is NOT_FOUND and records nothing', async () => {
    const data = { judgments: [judgment('lost')], organizationId: 'nowhere' }
    expect((await ws.call('/v2/memory/judgments/add', data)).body.error.status).toBe('NOT_FOUND')
    const other = { judgments: [judgment('lost')], organizationId: 'acme', documentId: 'nothing' }
    expect((await ws.call('/v2/memory/judgments/add', other)).body.error.status).toBe('NOT_FOUND')
    expect(idsOf(await query({ limit: 100 }))).not.toContain('lost')
  })

  test('a judgment that names a place that does not exist fails alone', async () => {
    const { results } = await add([
      judgment('no-org', { organizationId: 'nowhere' }),
      judgment('no-doc', { organizationId: 'acme', documentId: 'nothing' }),
      judgment('fine', { organizationId: 'acme' }),
    ])
    expect(results).toEqual({
      'no-org': { success: false, message: 'Organization does not exist' },
      'no-doc': { success: false, message: 'Document does not exist' },
      fine: { success: true, message: 'Added Successfully' },
    })
  })

  test.each([
    ['organizationId', { judgments: [judgment('x')], documentId: 'doc-1' }],
    ['judgments[0].organizationId', { judgments: [judgment('x', { documentId: 'doc-1' })] }],
    ['judgments[0].decision', { judgments: [{ ...judgment('x'), decision: undefined }] }],
    ['judgments[0].reasoning', { judgments: [{ ...judgment('x'), reasoning: 7 }] }],
    ['judgments[0].confidence', { judgments: [judgment('x', { confidence: 1.1 })] }],
    ['judgments[0].judgeType', { judgments: [judgment('x', { judgeType: 'robot' })] }],
    ['judgments[0].actionUser.name', { judgments: [judgment('x', { actionUser: { userId: 'ada' } })] }],
    ['judgments', { judgments: Array.from({ length: 1001 }, (_, i) => judgment(`${i}`)) }],
  ])('INVALID_ARGUMENT names %s', async (path, data) => {
    const answer = await refused('/v2/memory/judgments/add', data)
    expect([answer.status, answer.issue.path]).toEqual(['INVALID_ARGUMENT', path])
  })

  test('takes 1,000 at once, and ids like __proto__', async () => {
    const { results } = await add([
      ...Array.from({ length: 999 }, (_, i) => judgment(`many-${i}`)),
      judgment('__proto__', { contentType: 'proto' }),
    ])
    expect(Object.keys(results)).toHaveLength(1000)
    expect(Object.hasOwn(results, '__proto__')).toBe(true)
    expect(idsOf(await query({ contentType: 'proto' }))).toEqual(['__proto__'])
  })
})

describe('judgments/query', () => {
  beforeAll(async () => {
    await start()
    await add([
      judgment('1', { createdAt: 1000, organizationId: 'acme', annotationId: 't' }),
      judgment('2', {
        createdAt: 2000,
        decision: 'approved',
        organizationId: 'acme',
        documentId: 'doc-1',
        annotationId: 't',
      }),
      judgment('3', {
        createdAt: 3000,
        decision: 'rejected',
        actionUser: bob,
        organizationId: 'acme',
        annotationId: 't',
      }),
      judgment('4', {
        createdAt: 4000,
        decision: 'Reject',
        judgeType: 'agent',
        contentType: 'image',
        organizationId: 'beta',
        annotationId: 't',
      }),
      judgment('5', { createdAt: 5000, decision: 'accept' }),
    ])
  })

  test.each([
    ['all, newest first', {}, ['5', '4', '3', '2', '1']],
    ['the newest `limit`', { limit: 2 }, ['5', '4']],
    ['one organization', { organizationId: 'acme' }, ['3', '2', '1']],
    ['one document', { organizationId: 'acme', documentId: 'doc-1' }, ['2']],
    ['approve, which is approved', { decision: 'approve' }, ['2', '1']],
    ['approved, which is approve', { decision: 'approved' }, ['2', '1']],
    ['reject in any spelling', { decision: 'REJECTED' }, ['4', '3']],
    ['accept, which is no approve', { decision: 'accept' }, ['5']],
    ['of a side, whatever the word', { side: 'approve' }, ['5', '2', '1']],
    ['by agents', { judgeType: 'agent' }, ['4']],
    ['of a content type', { contentType: 'image' }, ['4']],
    ['of some documents', { documentIds: ['doc-1', 'doc-9'] }, ['2']],
    ['of none of some documents', { excludeDocumentIds: ['doc-1'] }, ['5', '4', '3', '1']],
    ['of a reviewer', { reviewerId: 'bob' }, ['3']],
    ['of some ids', { recordIds: ['4', '1', 'unknown'] }, ['4', '1']],
    ['of some ids that meet the filters too', { recordIds: ['4', '1'], organizationId: 'acme' }, ['1']],
    ['of no ids', { recordIds: [] }, []],
    ['the newest of a thread, oldest first', { organizationId: 'acme', annotationId: 't', limit: 2 }, ['2', '3']],
    ['of an unknown organization', { organizationId: 'nowhere' }, []],
  ])('lists %s', async (_, data, ids) => {
    const answer = await query(data)
    expect(idsOf(answer)).toEqual(ids)
    expect(answer.total).toBe(ids.length)
  })

  test('holds what was reviewed where it is asked for', async () => {
    await add([judgment('reviewed', { content: 'Buy now!', contentType: 'reviewed' })])
    const [result] = (await query({ contentType: 'reviewed', includeContent: true })).results
    expect(result).toMatchObject({ recordId: 'reviewed', content: 'Buy now!' })
    expect((await query({ contentType: 'reviewed' })).results[0]).not.toHaveProperty('content')
  })

  test('returns 20 by default, at most 100', async () => {
    await add(Array.from({ length: 30 }, (_, i) => judgment(`more-${i}`, { contentType: 'more' })))
    expect((await query({ contentType: 'more' })).total).toBe(20)
    expect((await query({ contentType: 'more', limit: 100 })).total).toBe(30)
    expect((await refused('/v2/memory/judgments/query', { limit: 101 })).issue.path).toBe('limit')
    expect((await refused('/v2/memory/judgments/query', { limit: 0 })).issue.path).toBe('limit')
  })

  test.each([[{ documentId: 'doc-1' }], [{ annotationId: 't' }]])('%o requires organizationId', async (data) => {
    const { status, issue } = await refused('/v2/memory/judgments/query', data)
    expect([status, issue.path]).toEqual(['INVALID_ARGUMENT', 'organizationId'])
  })
})

describe('judgments/delete and stats/get', () => {
  beforeAll(start)

  test('deletes for good, reports each id, and counts what is left', async () => {
    await add([judgment('keep'), judgment('drop', { actionUser: bob }), judgment('drop-2')])
    // The same reasoning recurs. The count of patterns may be ten minutes old.
    const learning = { status: 'tooFewJudgments', learnedAt: null }
    const stats = { totalPatterns: 1, totalKnowledgeSources: 0, learning }
    const pending = (count: number) => ({
      embedding: { model: expect.stringMatching(/^builtin-/), embedded: 0, pending: count },
    })
    const before = { totalActivities: 3, totalProfiles: 2, ...stats, ...pending(3) }
    expect(await ws.ok('/v2/memory/stats/get')).toEqual(before)
    expect(idsOf(await search({ query: 'pricing page' })).sort()).toEqual(['drop', 'drop-2', 'keep'])
    expect(await ws.ok('/v2/memory/judgments/delete', { recordIds: ['drop', 'drop-2', 'never', 'drop'] })).toEqual({
      results: {
        drop: { success: true, message: 'Deleted Successfully' },
        'drop-2': { success: true, message: 'Deleted Successfully' },
        never: { success: false, message: 'Judgment does not exist' },
      },
    })
    expect(await ws.ok('/v2/memory/stats/get')).toEqual({
      totalActivities: 1,
      totalProfiles: 1,
      ...stats,
      ...pending(1),
    })
    expect(await search({ query: 'pricing page' })).toMatchObject({ totalInScope: 1, results: [{ recordId: 'keep' }] })
  })

  test('a deleted record id can be added again', async () => {
    await ws.ok('/v2/memory/judgments/delete', { recordIds: ['keep'] })
    expect((await search({ query: 'pricing page' })).totalInScope).toBe(0)
    await add([judgment('keep', { reasoning: 'The pricing page is new.' })])
    expect((await search({ query: 'pricing page' })).results).toMatchObject([{ reasoning: 'The pricing page is new.' }])
  })
})
