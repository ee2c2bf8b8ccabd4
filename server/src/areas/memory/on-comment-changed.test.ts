import { beforeEach, describe, expect, test } from 'vitest'
import { type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import {
  APPROVED,
  ada,
  bob,
  newPlannedWorkspace,
  place,
  text,
  threadDecisions,
} from '../../../test/thread-decisions.ts'

let service: Service
let ws: TestWorkspace

beforeEach(async () => {
  service = await startService()
  ws = await newPlannedWorkspace(service)
})

const { addThread, decisions, deleteThread, importOne, judgments, update } = threadDecisions(() => ws)

describe('a change of status', () => {
  const talk = [
    text(bob, 'Is this price right?'),
    text(ada, 'I will check.'),
    text(ada, 'It is right.'),
    text(bob, 'Ok.'),
  ]

  test('to a terminal one is remembered, with the latest comment of who decided and the first of the thread', async () => {
    await addThread('t', talk)
    expect(await judgments()).toEqual([])
    await update('t', { status: { id: 'RESOLVED' } })
    expect(await judgments({ organizationId: 'acme', annotationId: 't' })).toEqual([
      {
        recordId: expect.stringMatching(/^act_/),
        decision: 'resolve',
        reasoning: 'It is right.',
        confidence: 1,
        actionUser: ada,
        judgeType: 'human',
        agent: null,
        contentType: 'comment',
        createdAt: expect.any(Number),
        ...place,
        annotationId: 't',
      },
    ])
    const found = await ws.ok('/v2/memory/search', { query: 'price', embeddingType: 'content' })
    expect(found.results).toHaveLength(1)
  })

  test('has the latest comment of who decided also where others have written many since', async () => {
    const others = Array.from({ length: 20 }, (_, n) => text(bob, `And ${n}?`))
    await addThread('t', [...talk, ...others])
    await update('t', { status: { id: 'RESOLVED' } })
    expect(await judgments()).toMatchObject([{ reasoning: 'It is right.', actionUser: ada }])
  })

  test('has it also where the update gives the thread another author', async () => {
    const agent = { agentId: 'checker', agentName: 'Checker' }
    const others = Array.from({ length: 20 }, (_, n) => text(bob, `And ${n}?`))
    await addThread('t', [...talk.slice(0, 2), text(ada, 'It is right.', { agent }), ...others])
    await update('t', { status: { id: 'RESOLVED' }, from: ada }, { actionUser: undefined })
    expect(await judgments()).toMatchObject([{ reasoning: 'It is right.', actionUser: ada, judgeType: 'agent' }])
  })

  test.each([
    [{ id: 'RESOLVED' }, 'resolve'],
    [{ id: 'IN_PROGRESS' }, 'in_progress'],
    [{ id: 'Waiting', type: 'ongoing' }, 'in_progress'],
    [APPROVED, 'approved'],
    [{ id: 'Reject', type: 'terminal' }, 'reject'],
    [{ id: 'DOCUMENT_REJECTED', type: 'terminal' }, 'document_rejected'],
    [{ id: 'Endorse', type: 'terminal' }, 'endorse'],
    [{ id: 'WONTFIX', type: 'terminal' }, 'resolve'],
  ])('to %j is the decision %s', async (status, decision) => {
    await addThread('t', talk)
    await update('t', { status })
    expect(await decisions()).toEqual([decision])
  })

  test('of a thread without a text is about the text of its HTML, however many tags that leaves open', async () => {
    await addThread('t', [{ from: bob, commentHtml: `<p>Is this right?</p>${'<'.repeat(200_000)}` }])
    await update('t', { status: APPROVED })
    const { results } = await ws.ok('/v2/memory/search', { query: 'right', embeddingType: 'content' })
    expect(results).toHaveLength(1)
  })

  test('of a thread whose text is empty is about the text of its HTML', async () => {
    await addThread('t', [{ from: ada, commentText: '', commentHtml: '<p>Yes, it is right.</p>' }])
    await update('t', { status: APPROVED })
    expect(await judgments()).toMatchObject([{ reasoning: 'Yes, it is right.' }])
    const { results } = await ws.ok('/v2/memory/search', { query: 'right', embeddingType: 'content' })
    expect(results).toHaveLength(1)
  })

  test('of a thread in HTML has its characters, not the names that HTML has for them', async () => {
    await addThread('t', [
      { from: ada, commentHtml: '<p>It&#39;s &quot;A&nbsp;&amp;&nbsp;B&quot;,&nbsp;&lt;<b>10</b></p>' },
    ])
    await update('t', { status: APPROVED })
    expect(await judgments()).toMatchObject([{ reasoning: `It's "A & B", < 10` }])
  })

  test('to one that is neither terminal nor ongoing is no decision', async () => {
    await addThread('t', talk)
    await update('t', { status: { id: 'PARKED' } })
    expect(await judgments()).toEqual([])
  })

  test('is remembered once: not again for the same status, nor for a repeated request', async () => {
    await addThread('t', talk)
    const path = '/v2/commentannotations/update'
    const data = { ...place, annotationIds: ['t'], updatedData: { status: APPROVED }, actionUser: ada }
    const headers = { ...ws.keyHeaders, 'idempotency-key': 'once' }
    await Promise.all([1, 2, 3].map(() => service.call(path, data, headers)))
    await Promise.all([1, 2, 3].map(() => ws.ok(path, data)))
    expect(await decisions()).toEqual(['approved'])
    await update('t', { status: { id: 'OPEN' } })
    await update('t', { status: APPROVED })
    expect(await decisions()).toEqual(['approved', 'approved'])
  })

  test('is remembered with triggerNotification and triggerActivities false too', async () => {
    await addThread('t', talk)
    await update('t', { status: APPROVED }, { triggerNotification: false, triggerActivities: false })
    expect(await decisions()).toEqual(['approved'])
  })

  test('without a named actor has no reviewer, and a failed update leaves nothing', async () => {
    await addThread('t', talk)
    await ws.call('/v2/commentannotations/update', { ...place, documentId: 'x', updatedData: { status: APPROVED } })
    expect(await judgments()).toEqual([])
    await update('t', { status: APPROVED }, { actionUser: undefined })
    expect(await judgments()).toEqual([expect.objectContaining({ actionUser: { name: 'API' }, reasoning: '' })])
    const { results } = await ws.ok('/v2/memory/search', { query: 'price', filters: { reviewerId: 'api' } })
    expect(results).toEqual([])
  })

  test('by an agent says which', async () => {
    const agent = { agentId: 'linter', executionId: 'run-1', agentName: 'Linter' }
    await addThread('t', [text(bob, 'Check this.'), text(ada, 'It is clean.', { agent })])
    await update('t', { status: APPROVED })
    const decided = {
      agentId: 'linter',
      agentType: 'custom',
      executionId: 'run-1',
      agentFields: { agentName: 'Linter' },
    }
    expect(await judgments({ judgeType: 'agent' })).toMatchObject([{ agent: decided, reasoning: 'It is clean.' }])
  })
})

describe('a suggestion', () => {
  const suggestion = { targetId: 'title', oldValue: 'a', newValue: 'b', summary: 'Rename a to b' }

  test.each([
    ['accepted', 'approve', 'Shorter names are better.'],
    ['rejected', 'reject', 'Shorter names are better.'],
  ])('that is %s is the decision %s', async (status, decision, reasoning) => {
    await addThread('s', [text(bob, 'Rename it'), text(ada, reasoning)], { suggestion })
    await update('s', { suggestion: { ...suggestion, status } })
    expect(await judgments()).toMatchObject([{ decision, reasoning, contentType: 'suggestion', actionUser: ada }])
  })

  test('is decided by whom it names, with the latest comment of that user', async () => {
    await addThread('s', [text(bob, 'Rename it'), text(bob, 'It is shorter.')], { suggestion })
    await update('s', { suggestion: { ...suggestion, status: 'accepted', resolvedBy: bob } }, { actionUser: undefined })
    expect(await judgments()).toMatchObject([{ decision: 'approve', reasoning: 'It is shorter.', actionUser: bob }])
  })

  test.each([
    ['by the actor', { resolvedBy: { userId: '' } }, ada],
    [
      'by an unnamed one',
      { resolvedBy: { userId: 'eve', name: 5, email: 'e'.repeat(321) } },
      { userId: 'eve', name: 'eve' },
    ],
  ])('that names nobody properly is decided %s', async (_, resolved, actionUser) => {
    await addThread('s', [text(bob, 'Rename it')], { suggestion })
    await update('s', { suggestion: { ...suggestion, status: 'accepted', ...resolved } })
    expect((await judgments()).map((each) => each.actionUser)).toEqual([actionUser])
  })

  test('that is rejected for a reason is remembered with it', async () => {
    await addThread('s', [text(bob, 'Rename it')], { suggestion })
    await update('s', { suggestion: { ...suggestion, status: 'rejected', rejectReason: 'b is taken.' } })
    expect(await judgments()).toMatchObject([{ decision: 'reject', reasoning: 'b is taken.' }])
  })
})

test('a thread that is added with a terminal status records one, which goes with the thread', async () => {
  await addThread('t', [text(bob, 'Is this price right?'), text(ada, 'Yes.')], { status: APPROVED })
  expect(await decisions()).toEqual(['approved'])
  await addThread('open', [text(bob, 'And this?')])
  expect(await decisions()).toEqual(['approved'])
  await deleteThread('t')
  expect(await decisions()).toEqual([])
})

test('that of a status change or suggestion goes with its thread; an imported one stays', async () => {
  await addThread('t', [text(bob, 'Is this price right?')])
  await update('t', { status: APPROVED })
  await importOne({ annotationId: 't' })
  expect((await decisions()).sort()).toEqual(['approve', 'approved'])
  await deleteThread('t')
  expect(await decisions()).toEqual(['approve'])
})

test('one that is exported and added again still goes with its thread', async () => {
  await addThread('t', [text(bob, 'Is this price right?')])
  await update('t', { status: APPROVED })
  const { body } = await ws.call('/v2/memory/judgments/export', {})
  await ws.ok('/v2/memory/judgments/add', { judgments: [JSON.parse(body)] })
  expect(await decisions()).toEqual(['approved'])
  await deleteThread('t')
  expect(await decisions()).toEqual([])
})
