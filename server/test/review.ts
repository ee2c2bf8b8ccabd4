import type { CommentChange } from '../src/areas/comments/change/change.ts'
import type { Comment } from '../src/areas/comments/comment/comment.ts'
import type { CommentAnnotation } from '../src/areas/comments/thread/annotation.ts'
import type { User } from '../src/areas/users/user.ts'
import { sql } from '../src/platform/db/db.ts'
import { type Result, type Under, ungrouped } from './answer.ts'
import { newWorkspace, type Service, type TestWorkspace } from './running-service.ts'

export const ada = { userId: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' }
export const bob = { userId: 'bob', name: 'Bob', email: 'bob@example.com' }
export const at = { organizationId: 'acme', documentId: 'plan' }

interface EventRow {
  type: string
  organization_id: string
  document_id: string
  advanced: { data: Told & { metadata: { documentMetadata: object } } }
  basic: Told & { actionType: string }
  processed: { commentText: string; toContactsTagged: User[]; toContactsUpdated: User[] }
}

/** The fields of a change's payload that tests look at. */
interface Told extends Partial<Pick<CommentChange, 'visibility'>> {
  actionUser?: User
  commentAnnotation: CommentAnnotation & { commentsCount: number }
  targetComment?: Comment
  newPriority?: { id: string; name: string }
  reaction?: { id: string; icon: string }
}

const THREADS = '/v2/commentannotations/'
type Operation = Under<typeof THREADS>

/** A document of its own for one test, with calls to review it and to see what was announced. */
export async function newReview(service: Service) {
  const ws: TestWorkspace = await newWorkspace(service)
  await ws.ok('/v2/organizations/documents/add', {
    ...at,
    createOrganization: true,
    documents: [{ documentId: 'plan' }],
  })
  async function ok<Name extends Operation>(
    operation: Name,
    data: object = {},
  ): Promise<Result<`${typeof THREADS}${Name}`>['data']> {
    const result = await ws.ok(`${THREADS}${operation}`, { ...at, ...data })
    return result.data
  }
  const threads = async (filters: object = {}) => ungrouped(await ok('get', filters))
  return {
    ws,
    ok,
    call: <Name extends Operation>(operation: Name, data: object = {}) =>
      ws.call(`${THREADS}${operation}`, { ...at, ...data }),
    /** Adds a thread of one silent comment. */
    async thread(annotationId: string, more: object = {}, comment: object = {}) {
      const commentData = [{ commentId: 1, commentText: 'First', from: ada, ...comment }]
      const item = { annotationId, commentData, ...more }
      const { [annotationId]: result } = await ok('add', { triggerNotification: false, commentAnnotations: [item] })
      if (!result?.success) throw new Error(result?.message)
    },
    threads,
    async read(annotationId: string) {
      const [thread] = await threads({ annotationIds: [annotationId] })
      if (!thread) throw new Error(`There is no thread ${annotationId}.`)
      return thread
    },
    /** The announced changes: call by call, within a call by comment. */
    events: () =>
      service.database.query<EventRow>(sql`
        select *
        from event
        where api_key = ${ws.apiKey}
        order by created_at, (advanced #>> '{data,targetComment,commentId}')::bigint, id`),
    async types() {
      return (await this.events()).map(({ type }) => type)
    },
  }
}
export type Review = Awaited<ReturnType<typeof newReview>>
