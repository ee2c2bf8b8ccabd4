import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
})

const place = (organizationId: string) => ({ organizationId, documentId: 'plan' })
const thread = (organizationId: string, annotationId: string) =>
  ws.ok('/v2/commentannotations/add', {
    ...place(organizationId),
    createOrganization: true,
    createDocument: true,
    commentAnnotations: [{ annotationId, commentData: [{ from: { userId: 'ada' }, commentText: 'Hi' }] }],
  })
const remove = (data: object) => ws.call('/v2/commentannotations/delete', { documentId: 'plan', ...data })

test('without organizationId annotationIds is required, and the ids decide in all organizations of the key', async () => {
  await thread('acme', 'a')
  await thread('acme', 'kept')
  await thread('globex', 'b')
  expect((await remove({})).body.error).toMatchObject({
    status: 'INVALID_ARGUMENT',
    message: expect.stringContaining('annotationIds'),
  })
  const { body } = await remove({ annotationIds: ['a', 'b', 'nowhere'] })
  expect(body.result.data).toEqual({
    a: { success: true, id: 'a', message: 'Deleted Successfully' },
    b: { success: true, id: 'b', message: 'Deleted Successfully' },
    nowhere: { success: false, id: 'nowhere', message: 'Annotation not found.' },
  })
  const { data } = await ws.ok('/v2/commentannotations/get', place('acme'))
  expect(JSON.stringify(data)).toContain('"kept"')
})

test('without organizationId threads of another API key stay', async () => {
  const other = await newWorkspace(service)
  await thread('acme', 'mine')
  const { body } = await other.call('/v2/commentannotations/delete', { documentId: 'plan', annotationIds: ['mine'] })
  expect(body.result.data.mine).toMatchObject({ success: false })
  expect((await remove({ annotationIds: ['mine'] })).body.result.data.mine).toMatchObject({ success: true })
})

test('without organizationId the events of all organizations share the size of those of one call', async () => {
  const organizationIds = Array.from({ length: 36 }, (_, n) => `share${n}`)
  const context = { text: 'x'.repeat(250_000) }
  for (const organizationId of organizationIds) {
    await ws.ok('/v2/commentannotations/add', {
      ...place(organizationId),
      createOrganization: true,
      createDocument: true,
      commentAnnotations: [{ annotationId: 'same', context, commentData: [{ from: { userId: 'ada' } }] }],
      triggerNotification: false,
    })
  }
  await remove({ annotationIds: ['same'] })
  const events = await service.database.query<{ thread: object }>(sql`
    select advanced #> '{data,commentAnnotation}' as thread
    from event
    where api_key = ${ws.apiKey} and type = 'comment.delete' and organization_id like 'share%'`)
  expect([events.length, events.filter(({ thread }) => 'isAbridged' in thread).length]).toEqual([36, 36])
})
