import { sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, nullable, Type } from '../../platform/schema.ts'
import { Comment } from './thread/comment.ts'
import { commentId } from './thread/comment-input.ts'
import { placeInput } from './thread/place.ts'
import { loadThreads, type ThreadRow, threadColumns } from './thread/thread.ts'

/** The comments of a thread, in the order in which they were added, or those asked for in the order of the request. */
export const getComments = operation({
  path: '/v2/commentannotations/comments/get',
  twin: '/v1/commentannotations/comments/get',
  auth: 'apiKey',
  access: 'read',
  large: true,
  summary: 'Get comments',
  input: Type.Object({
    ...placeInput,
    annotationId: identifier('Id of the thread.'),
    userIds: Type.Optional(Type.Array(identifier('Id of a user who wrote comments.'))),
    commentIds: Type.Optional(Type.Array(commentId)),
  }),
  output: Type.Array(nullable(Comment), { description: 'Null for each unknown comment id.' }),
  errors: [],
  message: 'Comment(s) fetched successfully.',
}).run(async ({ db, tenant, input }) => {
  const { organizationId, documentId, annotationId, commentIds, userIds } = input
  const rows = await db.query<ThreadRow>(sql`
    select ${threadColumns}
    from comment_annotation a
    where a.api_key = ${tenant.apiKey} and a.organization_key = ${keyOf(organizationId)}
      and a.key = ${keyOf(annotationId)} and a.document_key = ${keyOf(documentId)}`)
  const [thread] = await loadThreads(db, tenant, keyOf(organizationId), rows)
  const comments = (thread?.comments ?? []).filter(({ from }) => !userIds || userIds.includes(from.userId))
  if (!commentIds) return comments
  const byId = new Map(comments.map((comment) => [comment.commentId, comment]))
  return [...new Set(commentIds)].map((id) => byId.get(id) ?? null)
})
