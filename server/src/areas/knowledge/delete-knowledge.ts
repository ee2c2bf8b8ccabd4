import { sql } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { oneOf, Type } from '../../platform/schema.ts'
import { lockSource, SourceIdField } from './source/source.ts'

/** Deletes a source with its file and all that was made of it. */
export const deleteKnowledge = operation({
  path: '/v2/memory/knowledge/delete',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: 'Delete a knowledge source',
  input: Type.Object({ sourceId: SourceIdField }),
  example: { sourceId: 'the sourceId of the file' },
  output: Type.Object({
    status: oneOf(['deleted'], 'The source is gone.'),
    sourceId: Type.String(),
    deletedChunks: Type.Integer(),
    deletedRules: Type.Integer(),
  }),
  errors: ['NOT_FOUND', 'ABORTED'],
  message: '',
  bare: true,
}).run(async ({ db, tenant, input: { sourceId } }) => {
  const source = await lockSource(db, tenant, sourceId)
  const isOwn = source.dedupOf === null
  if (isOwn && source.status === 'processing')
    throw new ApiError('ABORTED', 'The file is being read. Try again when it is.')
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from knowledge_source where api_key = ${tenant.apiKey} and dedup_of = ${source.key}::uuid`)
  const dependentCount = row?.count ?? 0
  if (dependentCount > 0) {
    const message = 'Other sources mirror this one. Delete them first.'
    throw new ApiError('ABORTED', message, { details: { dependentCount } })
  }
  await db.query(sql`delete from knowledge_source where api_key = ${tenant.apiKey} and key = ${source.key}::uuid`)
  return {
    status: 'deleted' as const,
    sourceId,
    deletedChunks: isOwn ? source.chunkCount : 0,
    deletedRules: isOwn ? source.ruleCount : 0,
  }
})
