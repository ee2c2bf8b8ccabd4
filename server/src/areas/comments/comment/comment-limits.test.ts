import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ada, at, newReview, type Review } from '../../../../test/review.ts'
import { type Service, startService } from '../../../../test/running-service.ts'
import { MAX_RECORD_BYTES, OUTGROWN } from '../../../platform/record-size.ts'

let service: Service
let review: Review

beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  review = await newReview(service)
  await review.thread('t')
})

const large = 'x'.repeat(MAX_RECORD_BYTES)
const half = 'x'.repeat(MAX_RECORD_BYTES / 2)
const comments = (count: number) => Array.from({ length: count }, () => ({ from: ada, commentText: 'x' }))
const refused = async (operation: Parameters<Review['call']>[0], data: object) => {
  const { status, body } = await review.call(operation, data)
  expect([status, body.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
  return body.error.message
}

describe('a thread without its comments and each comment hold at most 256 KiB of JSON', () => {
  test('when they are added', async () => {
    const commentData = [{ from: ada, commentText: half }]
    const add = (...more: object[]) => refused('add', { commentAnnotations: [{ commentData }, ...more] })
    expect(await add({ commentData, pageInfo: { large } })).toBe(
      'commentAnnotations[1] must hold at most 256 KiB of JSON',
    )
    expect(await add({ commentData: [...commentData, { from: ada, commentText: large }] })).toBe(
      'commentAnnotations[1].commentData[1] must hold at most 256 KiB of JSON',
    )
    const both = [{ commentData: [...commentData, ...commentData, ...commentData], pageInfo: { half } }]
    expect(Object.keys(await review.ok('add', { commentAnnotations: both }))).toHaveLength(1)
    const commentsSent = { annotationId: 't', commentData: [{ from: ada }, { from: ada, context: { large } }] }
    expect(await refused('comments/add', commentsSent)).toBe('commentData[1] must hold at most 256 KiB of JSON')
  })

  test('when they are updated, with what they hold already', async () => {
    const tooLarge = 'updatedData must hold at most 256 KiB of JSON'
    const grown = { success: false, message: OUTGROWN }
    const update = (updatedData: object) => ({ annotationIds: ['t'], updatedData })
    expect(await refused('update', update({ context: { large } }))).toBe(tooLarge)
    await review.ok('update', update({ context: { half } }))
    await review.ok('add', { commentAnnotations: [{ annotationId: 'u', commentData: comments(1) }] })
    const both = await review.ok('update', { annotationIds: ['t', 'u'], updatedData: { pageInfo: { half } } })
    expect(both).toMatchObject({ t: grown, u: { success: true } })
    await review.ok('update', update({ context: {}, pageInfo: { half } }))

    const edit = (updatedData: object) => ({ annotationId: 't', commentIds: [1], updatedData })
    expect(await refused('comments/update', edit({ commentText: large }))).toBe(tooLarge)
    await review.ok('comments/update', edit({ commentText: half }))
    const other = edit({ commentHtml: half })
    expect(await review.ok('comments/update', { ...other, commentIds: [1, 2] })).toMatchObject({ 1: grown })
    await review.ok('comments/update', edit({ commentText: '', commentHtml: half }))
  })

  test('and so do reactions', async () => {
    const add = (data: object) => review.ws.call('/v2/reactions/add', { ...at, annotationId: 't', ...data })
    const reactions = [{ icon: 'HEART', from: ada }]
    for (const [data, path] of [
      [{ reactions: [...reactions, { icon: 'HEART', from: ada, context: { large } }] }, 'reactions[1]'],
      [{ reactions, location: { id: 'x', large } }, 'location'],
    ] as const) {
      expect((await add(data)).body.error.message).toBe(`${path} must hold at most 256 KiB of JSON`)
    }
  })
})

test('the threads of one request have at most 1,000 comments in total', async () => {
  const commentAnnotations = [{ commentData: comments(500) }, { commentData: comments(501) }]
  expect(await refused('add', { commentAnnotations })).toBe(
    'commentAnnotations must have at most 1000 comments in total',
  )
})

test('a request names at most 1,000 distinct {{userId}}', async () => {
  const naming = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `{{user${from + index}}}`).join('')
  const rule = 'must not name more than 1000 distinct {{userId}} in one request'
  const commentData = [
    { from: ada, commentText: naming(0, 600) },
    { from: ada, commentText: naming(500, 1001) },
  ]
  expect(await refused('add', { commentAnnotations: [{ commentData }] })).toBe(
    `commentAnnotations[0].commentData[1].commentText ${rule}`,
  )
  expect(await refused('comments/add', { annotationId: 't', commentData })).toBe(`commentData[1].commentText ${rule}`)
  const edit = (commentText: string) => ({ annotationId: 't', commentIds: [1], updatedData: { commentText } })
  expect(await refused('comments/update', edit(naming(0, 1001)))).toBe(`updatedData.commentText ${rule}`)
  expect((await review.ok('comments/update', edit(naming(0, 1000) + naming(0, 1000))))['1']?.success).toBe(true)
})
