import { beforeAll, expect, test } from 'vitest'
import { ungrouped } from '../answer.ts'
import { at, newReview, type Review } from '../review.ts'
import { startService } from '../running-service.ts'

const from = { userId: 'u' }
let review: Review
beforeAll(async () => {
  review = await newReview(await startService())
})

test('a user keeps contacts, plan, type, isReadOnly and isGuest; records that name the user leave the contacts out', async () => {
  const fields = { plan: 'pro', type: 'signedIn', isReadOnly: true, isGuest: false }
  const contacts = [{ userId: 'v', name: 'V' }]
  await review.ws.ok('/v2/users/add', { organizationId: 'acme', users: [{ ...from, ...fields, contacts }] })
  const { data } = await review.ws.ok('/v2/users/get', { organizationId: 'acme', userIds: ['u'] })
  expect(ungrouped(data)).toMatchObject([{ ...fields, contacts }])
  await review.thread('t', {}, { from })
  const author = (await review.read('t')).from
  expect(author).toMatchObject(fields)
  expect(author).not.toHaveProperty('contacts')
})

test('a recording keeps what the reference lists', async () => {
  const fields = {
    waveformData: [0, 0.5, 1],
    commentAnnotationId: 't',
    context: { access: { default: 'velt' } },
    pageInfo: { url: 'https://example.com' },
    chunkUrls: { 0: 'https://example.com/0' },
    recordingEditVersions: { 1: { displayName: 'Cut' } },
  }
  const recording = { annotationId: 'r', recordingType: 'audio', mode: 'floating', recordedTime: { duration: 1 } }
  await review.ws.ok('/v2/recordings/add', { ...at, recordings: [{ ...recording, attachments: [], ...fields }] })
  const { data } = await review.ws.ok('/v2/recordings/get', at)
  expect(data).toMatchObject([fields])
})

test('a thread keeps color, sourceType and contextId, and an update changes them', async () => {
  const fields = { color: 'red', sourceType: 'agent', contextId: 'c1' }
  await review.thread('fields', fields)
  expect(await review.read('fields')).toMatchObject(fields)
  await review.ok('update', { annotationIds: ['fields'], updatedData: { color: 'blue' } })
  expect(await review.read('fields')).toMatchObject({ ...fields, color: 'blue' })
})

test('a notification gives its metadata back beside the fields of the service', async () => {
  await review.ws.ok('/v2/notifications/add', {
    ...at,
    notificationId: 'n',
    actionUser: from,
    displayHeadlineMessageTemplate: 'H',
    displayBodyMessage: 'B',
    metadata: { ticket: 7, organizationId: 'forged' },
    notifyUsers: [from],
  })
  const { data } = await review.ws.ok('/v2/notifications/get', { organizationId: 'acme', notificationIds: ['n'] })
  expect(data[0]?.metadata).toMatchObject({ ticket: 7, organizationId: 'acme', documentId: 'plan' })
})

test('agentFields is given back as the list that was sent', async () => {
  const agentFields = [{ name: 'severity', value: 'high' }]
  const judgment = { recordId: 'j', decision: 'approve', reasoning: 'Fine.', judgeType: 'agent' }
  const agent = { agentId: 'x', agentFields }
  await review.ws.ok('/v2/memory/judgments/add', {
    judgments: [{ ...judgment, actionUser: { ...from, name: 'U' }, agent }],
  })
  const { results } = await review.ws.ok('/v2/memory/judgments/query', {})
  expect(results[0]?.agent).toMatchObject({ agentId: 'x', agentFields })
})

test.each([
  ['/v2/users/get', { organizationId: 'acme', includeInvolvedDocuments: true }, 'includeInvolvedDocuments'],
  [
    '/v2/notifications/add',
    {
      ...at,
      actionUser: from,
      displayHeadlineMessageTemplate: 'H',
      displayBodyMessage: 'B',
      isCrossOrganizationEnabled: true,
    },
    'isCrossOrganizationEnabled',
  ],
])('%s refuses a documented scope that is not built', async (path, data, field) => {
  const { status, body } = await review.ws.call(path, data)
  expect([status, body.error.message]).toEqual([400, `${field} must be false`])
})
