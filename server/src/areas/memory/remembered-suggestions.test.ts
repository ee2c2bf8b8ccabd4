import { beforeEach, describe, expect, test } from 'vitest'
import { newWorkspace, startService, type TestWorkspace } from '../../../test/running-service.ts'

const place = { organizationId: 'acme', documentId: 'plan' }
const ada = { userId: 'ada', name: 'Ada', email: 'ada@example.com' }
const bob = { userId: 'bob', name: 'Bob' }

let ws: TestWorkspace

beforeEach(async () => {
  ws = await newWorkspace(await startService())
})

const judgments = async () => (await ws.ok('/v2/memory/judgments/query', {})).results
const text = (from: object, commentText: string) => ({ from, commentText })
const addThread = (annotationId: string, commentData: object[], more: object) =>
  ws.ok('/v2/commentannotations/add', {
    ...place,
    createOrganization: true,
    createDocument: true,
    commentAnnotations: [{ annotationId, commentData, ...more }],
  })
const update = (annotationId: string, updatedData: object, more: object = {}) =>
  ws.ok('/v2/commentannotations/update', {
    ...place,
    annotationIds: [annotationId],
    updatedData,
    actionUser: ada,
    ...more,
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
