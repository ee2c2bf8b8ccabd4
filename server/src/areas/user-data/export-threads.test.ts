import { beforeAll, expect, test } from 'vitest'
import { groupingsOf } from '../../../test/measuring/explained.ts'
import { newWorkspace, startConfigured, startService, type TestWorkspace } from '../../../test/running-service.ts'
import type { ApiKeyTenant } from '../../platform/context.ts'
import type { Db } from '../../platform/db/db.ts'
import { FIRST_KEY, keyOf } from '../../platform/id.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'
import type { DecisionContext } from '../permissions/provider/decide-for-users.ts'
import { exportThreads } from './export-threads.ts'

const place = { organizationId: 'acme', documentId: 'plan' }
const ada = { userId: 'ada' }
const bob = { userId: 'bob' }
let ws: TestWorkspace

beforeAll(async () => {
  await startService()
  ws = await newWorkspace(await startConfigured({ PAGE_LIMIT_BYTES: '40000' }))
  const commentText = 'x'.repeat(1_000)
  // Of 60 comments every fourth is of Ada: 15, of which about 7 fit.
  const commentData = Array.from({ length: 60 }, (_, n) => ({
    commentId: n,
    commentText,
    from: n % 4 === 1 ? ada : bob,
  }))
  await ws.ok('/v2/commentannotations/add', {
    ...place,
    createOrganization: true,
    createDocument: true,
    commentAnnotations: [
      { annotationId: 'long', commentData },
      { annotationId: 'short', commentData: [{ commentId: 1, commentText: 'y', from: ada }] },
    ],
  })
})

type Shown = {
  annotationId: string
  commentsCount: number
  commentsTruncated?: boolean
  comments: { commentId: number }[]
}

async function pages(userId: string): Promise<Shown[][]> {
  const all: Shown[][] = []
  let pageToken: string | null | undefined
  do {
    const request = { organizationId: 'acme', userId, ...(pageToken ? { pageToken } : {}) }
    const page = await ws.ok('/v2/users/data/get', request)
    all.push(page.data.comments as Shown[])
    pageToken = page.nextPageToken
  } while (pageToken && all.length < 50)
  return all
}

const own = (thread: Shown) => thread.comments.map(({ commentId }) => commentId).filter((id) => id % 4 === 1)

test('a thread shows the comments of the user first, and is repeated on the next page until all of them were shown', async () => {
  const long = (await pages('ada')).flat().filter(({ annotationId }) => annotationId === 'long')
  expect(long.length).toBeGreaterThan(1)
  for (const thread of long) expect(thread).toMatchObject({ commentsCount: 60, commentsTruncated: true })
  const ids = long.flatMap(own)
  expect(ids).toEqual(Array.from({ length: 15 }, (_, n) => 4 * n + 1))
  // As long as some of the user are left, nothing else takes their room.
  for (const thread of long.slice(0, -1)) expect(own(thread)).toHaveLength(thread.comments.length)
})

test('every thread of the user is shown, and one whose comments fit once and whole', async () => {
  const short = (await pages('ada')).flat().filter(({ annotationId }) => annotationId === 'short')
  expect(short).toMatchObject([{ commentsCount: 1, comments: [{ commentId: 1 }] }])
  expect(short[0]).not.toHaveProperty('commentsTruncated')
})

test('where the comments of the user fit, the first comment and the latest fill the rest', async () => {
  const [last] = (await pages('ada'))
    .flat()
    .filter(({ annotationId }) => annotationId === 'long')
    .slice(-1)
  const others = last?.comments.map(({ commentId }) => commentId).filter((id) => id % 4 !== 1) ?? []
  expect(others).toContain(0)
  expect(others.slice(-1)).toEqual([59])
})

test('the comments of a page are counted once, not once for each thread, whatever the planner knows', async () => {
  const service = await startService()
  const few = await newWorkspace(service)
  await few.ok('/v2/commentannotations/add', {
    ...{ ...place, createOrganization: true, createDocument: true },
    commentAnnotations: Array.from({ length: 20 }, () => ({ commentData: [{ commentText: 'Hi', from: ada }] })),
  })
  const tenant: ApiKeyTenant = { apiKey: few.apiKey, workspaceId: few.id }
  const organizationKey = organizationKeyOf(tenant, 'acme')
  const subject = { organizationId: 'acme', organizationKey, userId: 'ada', userKey: keyOf('ada'), maxBytes: 1_000_000 }
  const read = (db: Db) => exportThreads({ db, tenant } as DecisionContext, subject, [FIRST_KEY, null])
  // The people and the reactions of each thread are counted as well, by a look-up of each.
  expect(await groupingsOf(service.database, read)).toBe(1 + 2 * 20)
})
