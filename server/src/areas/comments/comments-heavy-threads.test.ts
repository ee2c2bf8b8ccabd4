import { beforeAll, describe, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'

const MEBIBYTE = 1024 * 1024
const place = { organizationId: 'acme', documentId: 'plan' }
const thread = { ...place, annotationId: 'heavy' }
// In all 36 MiB, more than a change may read.
const COUNT = 180
const BATCH = 20
const commentText = `{{bob}} ${'x'.repeat(MEBIBYTE / 5)}`
const ids = Array.from({ length: COUNT }, (_, n) => n + 1)
const author = (id: number) => ({ userId: id % 60 === 0 ? 'bob' : 'ada' })

let service: Service
let ws: TestWorkspace
beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  const add = (commentIds: number[]) =>
    commentIds.map((commentId) => ({ commentId, from: author(commentId), commentText }))
  await ws.ok('/v2/commentannotations/add', {
    ...place,
    createOrganization: true,
    createDocument: true,
    triggerNotification: false,
    commentAnnotations: [{ annotationId: 'heavy', commentData: add(ids.slice(0, BATCH)) }],
  })
  for (let start = BATCH; start < COUNT; start += BATCH) {
    const commentData = add(ids.slice(start, start + BATCH))
    await ws.ok('/v2/commentannotations/comments/add', { ...thread, commentData, triggerNotification: false })
  }
})

const kept = async () => {
  const [row] = await service.database.query<{ count: number; naming: number }>(sql`
    select count(*) as count, count(*) filter (where record::text like '%{{bob}}%') as naming
    from comment
    where api_key = ${ws.apiKey}`)
  return row
}
const refusal = async (path: string, data: object) => {
  const { status, body } = await ws.call(path, data)
  const { error } = body as { error: { status: string; message: string } }
  return { status, error: error.status, message: error.message }
}
const tooMany = {
  status: 400,
  error: 'INVALID_ARGUMENT',
  message: expect.stringMatching(/commentIds.* must name comments of at most 32 MiB in all/),
}

describe('a thread whose comments have more than 32 MiB', () => {
  test('an update that names all of them is refused', async () => {
    const data = { ...thread, commentIds: ids, updatedData: { isCommentTextAvailable: true, context: { read: true } } }
    expect(await refusal('/v2/commentannotations/comments/update', data)).toEqual(tooMany)
  })

  test('a deletion that names all of them is refused, and changes nothing', async () => {
    expect(await refusal('/v2/commentannotations/comments/delete', { ...thread, commentIds: ids })).toEqual(tooMany)
    expect(await kept()).toEqual({ count: COUNT, naming: COUNT })
  })

  test('an update that names fewer is done', async () => {
    const data = {
      ...thread,
      commentIds: ids.slice(0, 70),
      updatedData: { isCommentTextAvailable: true, context: { read: true } },
    }
    const results = Object.values(await ws.ok('/v2/commentannotations/comments/update', data).then(({ data }) => data))
    expect(results.filter(({ success }) => success)).toHaveLength(70)
  })

  test('users are not replaced in it', async () => {
    const updateUsers = [{ oldUser: { userId: 'ada' }, newUser: { userId: 'eve' } }]
    expect(await refusal('/v2/commentannotations/update', { ...place, annotationIds: ['heavy'], updateUsers })).toEqual(
      {
        status: 400,
        error: 'FAILED_PRECONDITION',
        message: 'An annotation has more than 32 MiB of comments. Nothing was changed.',
      },
    )
  })

  test('the erasure of a user deletes what that user wrote, and the mentions in every other comment', async () => {
    await ws.ok('/v2/users/data/delete', { userIds: ['bob'] })
    await service.drainJobs()
    expect(await kept()).toEqual({ count: COUNT - 3, naming: 0 })
  })
})

test('one change of many comments that would write more than 32 MiB is refused before it reads', async () => {
  const data = { ...thread, commentIds: ids, updatedData: { commentText } }
  expect(await refusal('/v2/commentannotations/comments/update', data)).toEqual(tooMany)
})
