import { expect, test } from 'vitest'
import { ada, at, newReview } from '../../../../test/review.ts'
import { startService } from '../../../../test/running-service.ts'
import { untilWaiting } from '../../../../test/until-waiting.ts'
import { sql } from '../../../platform/db/db.ts'

const IN_THREAD = '/v2/commentannotations/comments/'
const CALLS: [path: string, data: object][] = [
  [`${IN_THREAD}add`, { annotationId: 't', commentData: [{ commentText: 'Reply', from: ada }] }],
  [`${IN_THREAD}update`, { annotationId: 't', commentIds: [1], updatedData: { commentText: 'Edited' } }],
  [`${IN_THREAD}delete`, { annotationId: 't', commentIds: [1] }],
  ['/v2/commentannotations/update', { annotationIds: ['t'], updatedData: { status: { id: 'RESOLVED' } } }],
  ['/v2/commentannotations/delete', { annotationIds: ['t'] }],
  ['/v2/reactions/add', { annotationId: 't', reactions: [{ icon: '+', from: ada }] }],
  ['/v2/reactions/delete', { reactionIds: ['r'] }],
]

// The embedded database runs one transaction after the other.
test.runIf(process.env.TEST_DATABASE === 'postgres').for(CALLS)(
  '%s holds the document before the thread, as a deletion of the document does',
  async ([path, data]) => {
    const { database } = await startService()
    const { ws, thread } = await newReview(await startService())
    await thread('t')
    const reactions = [{ reactionId: 'r', icon: '+', from: ada }]
    await ws.ok('/v2/reactions/add', { ...at, annotationId: 't', reactions })
    const { calling } = await database.transaction(async (db) => {
      await db.query(sql`select from comment_annotation where api_key = ${ws.apiKey} for update`)
      const calling = ws.call(path, { ...at, ...data })
      await untilWaiting(database, 1)
      const deletion = database.query(sql`select from document where api_key = ${ws.apiKey} for update nowait`)
      await expect(deletion).rejects.toMatchObject({ code: '55P03' })
      return { calling }
    })
    expect((await calling).status).toBe(200)
  },
)
