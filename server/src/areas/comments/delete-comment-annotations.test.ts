import { beforeAll, describe, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
})

const place = (organizationId: string) => ({ organizationId, documentId: 'plan' })
const thread = (organizationId: string, annotationId: string, workspace = ws) =>
  workspace.ok('/v2/commentannotations/add', {
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

describe('without organizationId the threads of all organizations count together', () => {
  const idsOf = (count: number) => Array.from({ length: count }, (_, n) => `many ${n}`)

  /** Threads of those ids in each of so many organizations, with a text of that length. */
  async function addMany(organizations: number, ids: string[], length: number) {
    const own = await newWorkspace(service)
    for (let n = 0; n < organizations; n++) await thread(`org-${n}`, 'first', own)
    await service.database.query(sql`
      insert into comment_annotation (
        api_key, organization_key, document_key, number, key, id, from_key, status_id, record, created_at, updated_at)
      select a.api_key, a.organization_key, a.document_key, n.number + 1, n.key, n.id, a.from_key, a.status_id,
        a.record || jsonb_build_object('context', jsonb_build_object('text', repeat('x', ${length}::integer))),
        a.created_at, a.updated_at
      from comment_annotation a
      cross join unnest(${ids}::text[], ${ids.map(keyOf)}::uuid[]) with ordinality as n (id, key, number)
      where a.api_key = ${own.apiKey}`)
    return {
      remove: (annotationIds: string[]) =>
        own.call('/v2/commentannotations/delete', { documentId: 'plan', annotationIds }),
      async left() {
        const [row] = await service.database.query<{ count: number }>(sql`
          select count(*) as count from comment_annotation where api_key = ${own.apiKey} and id like 'many %'`)
        return row?.count
      },
    }
  }

  test('more than 10,000 are refused, and none is deleted', async () => {
    const ids = idsOf(910)
    const many = await addMany(11, ids, 1)
    expect((await many.remove(ids)).body.error).toMatchObject({
      status: 'FAILED_PRECONDITION',
      message: expect.stringContaining('more than 10000'),
    })
    expect(await many.left()).toBe(10_010)
    expect((await many.remove(ids.slice(0, 10))).status).toBe(200)
    expect(await many.left()).toBe(9_900)
  }, 60_000)

  test('more than 256 MiB are refused, and none is deleted', async () => {
    const ids = idsOf(450)
    const many = await addMany(2, ids, 300_000)
    expect((await many.remove(ids)).body.error).toMatchObject({
      status: 'FAILED_PRECONDITION',
      message: expect.stringContaining('The 900 matching annotations have more than 256 MiB'),
    })
    expect(await many.left()).toBe(900)
  }, 60_000)
})
