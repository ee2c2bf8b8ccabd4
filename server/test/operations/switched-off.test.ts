import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService } from '../running-service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})

const organizationId = 'o'
const place = { organizationId, createOrganization: true, documentId: 'd', createDocument: true }
const from = { userId: 'u' }
const commentAnnotations = [
  { annotationId: 't', visibility: { type: 'restricted' }, commentData: [{ from, commentText: 'x' }] },
]
const activities = [
  { featureType: 'custom', actionType: 'a', actionUser: from, targetEntityId: 'e', displayMessageTemplate: 'x' },
]
const channel = { updatedData: { visibility: { type: 'restricted' } }, annotationIds: ['t'] }

test.each([
  ['/v2/activities/add', { ...place, activities }],
  ['/v2/commentannotations/update', { organizationId, documentId: 'd', ...channel }],
  ['/v2/organizations/folders/get', { organizationId }],
  ['/v2/workspace/advancedwebhook/endpoints/get', {}],
])('%s says how to switch the feature on, and works after that', async (path, data) => {
  const ws = await newWorkspace(service)
  await ws.ok('/v2/organizations/documents/add', {
    organizationId,
    createOrganization: true,
    documents: [{ documentId: 'd' }],
  })
  await ws.ok('/v2/workspace/apikeyconfig/update', { advancedQueries: false })
  const { status, body } = await ws.call(path, data)
  expect([status, body.error.status]).toEqual([400, 'FAILED_PRECONDITION'])
  const told = /POST (\S+) with (\S+): true\.$/.exec(body.error.message)
  const [, config = '', field = ''] = told ?? []
  const sent = field.split('.').reduceRight<unknown>((value, key) => ({ [key]: value }), true)
  await ws.ok(config, sent as object)
  expect((await ws.call(path, data)).status).toBe(200)
})

test('a thread that needs private comments says how to switch them on', async () => {
  const ws = await newWorkspace(service)
  const { data } = await ws.ok('/v2/commentannotations/add', { ...place, commentAnnotations })
  const message = /POST \/v2\/workspace\/apikeyconfig\/update with enablePrivateComments: true\.$/
  expect(data.t).toMatchObject({ success: false, message: expect.stringMatching(message) })
})
