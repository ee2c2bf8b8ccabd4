import { beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/db.ts'
import type { Answer } from '../answer.ts'
import { ada, at, newReview, type Review } from '../review.ts'
import { type Service, startService } from '../running-service.ts'

const ROUNDS = 5
const { organizationId } = at

let service: Service
let review: Review

beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  review = await newReview(service)
})

const call = <Path extends string>(path: Path, data: object) => review.ws.call(`/v2/${path}`, { ...at, ...data })

/** Calls either succeed or report that something was deleted; no deadlock reaches the caller. */
function expectOrderly(answers: Answer[]) {
  for (const { status, body } of answers) expect([200, 404], JSON.stringify(body)).toContain(status)
}

test('comments and reactions added to a thread that is deleted meanwhile leave no orphan', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await review.thread('t')
    const comments = (from: number) => [from, from + 1].map((commentId) => ({ commentId, from: ada, commentText: 'x' }))
    const reactions = [{ icon: 'HEART', from: ada }]
    expectOrderly(
      await Promise.all([
        call('commentannotations/comments/add', { annotationId: 't', commentData: comments(10) }),
        call('reactions/add', { annotationId: 't', commentId: 1, reactions }),
        call('commentannotations/delete', { annotationIds: ['t'] }),
        call('commentannotations/comments/add', { annotationId: 't', commentData: comments(20) }),
        call('reactions/add', { annotationId: 't', reactions }),
        call('commentannotations/comments/update', {
          annotationId: 't',
          commentIds: [1],
          updatedData: { commentText: 'y' },
        }),
      ]),
    )
    const left = await service.database.query(sql`
      select annotation_key from comment where api_key = ${review.ws.apiKey}
      union all select annotation_key from comment_participant where api_key = ${review.ws.apiKey}
      union all select annotation_key from reaction where api_key = ${review.ws.apiKey}`)
    expect(left).toEqual([])
  }
})

test('a reaction to a comment that is deleted meanwhile is refused or goes with it', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await review.thread(`t${round}`)
    const target = { annotationId: `t${round}`, commentId: 1 }
    expectOrderly(
      await Promise.all([
        call('reactions/add', { ...target, reactions: [{ icon: 'HEART', from: ada }] }),
        call('commentannotations/comments/delete', { annotationId: `t${round}`, commentIds: [1] }),
        call('reactions/add', { ...target, reactions: [{ icon: 'STAR', from: ada }] }),
      ]),
    )
    expect((await call('reactions/get', {})).body.result.data).toEqual([])
  }
})

test('access given to a folder or a document that is deleted meanwhile is not there when it is added again', async () => {
  const resources = [
    { type: 'folder', id: 'f', organizationId },
    { type: 'document', id: 'd', organizationId },
  ]
  const put = () =>
    call('organizations/documents/add', { documents: [{ documentId: 'd' }], folderId: 'f', createFolder: true })
  for (let round = 0; round < ROUNDS; round++) {
    await put()
    expectOrderly(
      await Promise.all([
        call('auth/permissions/add', { user: { userId: 'ada' }, permissions: { resources } }),
        call('organizations/folders/delete', { folderId: 'f' }),
        review.ws.call('/v2/users/add', { organizationId, documentId: 'd', users: [{ userId: 'bob' }] }),
        review.ws.call('/v2/users/add', { organizationId, folderId: 'f', users: [{ userId: 'bob' }] }),
      ]),
    )
    const left = await service.database.query(sql`
      select resource_type from access_grant where api_key = ${review.ws.apiKey}`)
    expect(left).toEqual([])
  }
})

test('a user who is deleted while being added to a group is in it only as a user of the organization', async () => {
  const group = { organizationId, organizationUserGroupId: 'g' }
  await call('organizations/usergroups/add', { organizationUserGroups: [{ groupId: 'g', groupName: 'G' }] })
  for (let round = 0; round < ROUNDS; round++) {
    const userIds = Array.from({ length: 10 }, (_, i) => `u${i}`)
    const users = userIds.map((userId) => ({ userId }))
    await review.ws.ok('/v2/users/add', { organizationId, users })
    expectOrderly(
      await Promise.all([
        call('organizations/usergroups/users/add', { ...group, userIds }),
        review.ws.call('/v2/users/delete', { organizationId, userIds: userIds.toReversed() }),
        call('organizations/usergroups/users/add', { ...group, userIds: userIds.toReversed() }),
        review.ws.call('/v2/users/add', { organizationId, users: users.slice(0, 5) }),
      ]),
    )
    const strangers = await service.database.query(sql`
      select m.user_key
      from user_group_member m
      left join access_grant g on g.api_key = m.api_key and g.organization_key = m.organization_key
        and g.resource_type = 'organization' and g.user_key = m.user_key
      where m.api_key = ${review.ws.apiKey} and g.user_key is null`)
    expect(strangers).toEqual([])
  }
})

test('threads added while their location moves, or its data is deleted, are at one place or gone', async () => {
  const { apiKey, keyHeaders } = review.ws
  const credentials = { ...at, apiKey, authToken: keyHeaders['x-service-auth-token'] }
  const locations = '/v1/organizations/documents/locations'
  for (let round = 0; round < ROUNDS; round++) {
    const add = (side: string) =>
      call('commentannotations/add', {
        commentAnnotations: ['a', 'b', 'c'].map((name) => ({
          annotationId: `${side}${name}${round}`,
          location: { id: 'old' },
          commentData: [{ from: ada }],
        })),
      })
    const migrate = { oldLocation: { id: 'old' }, newLocation: { id: 'new' } }
    await add('before')
    expectOrderly(
      await Promise.all([
        add('1'),
        review.ws.call(`${locations}/update`, { ...credentials, migrate }),
        add('2'),
        review.ws.call(`${locations}/data/delete`, { ...credentials, location: { id: 'new' } }),
      ]),
    )
    await review.ws.ok(`${locations}/update`, { ...credentials, migrate })
    const all = await review.threads()
    for (const thread of all) expect(thread?.location?.id).toBe('new')
    expect(await review.ok('get', { locationIds: ['new'] })).toHaveLength(all.length)
    await review.ws.ok(`${locations}/data/delete`, { ...credentials, location: { id: 'new' } })
    expect(await review.ok('get')).toEqual([])
  }
})
