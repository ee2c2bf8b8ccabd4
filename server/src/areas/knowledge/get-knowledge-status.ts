import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { downloadUrls } from './source/file-links.ts'
import { Described, described, findSource, SourceIdField, SourceStatus, statusOf } from './source/source.ts'

/** Tells how far reading a file is. */
export const getKnowledgeStatus = operation({
  path: '/v2/memory/knowledge/ingest-status',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get how far a file with rules is read',
  input: Type.Object({ sourceId: SourceIdField }),
  example: { sourceId: 'the sourceId of the file' },
  output: Type.Object({
    status: SourceStatus,
    sourceId: Type.String(),
    startedAt: Type.Integer({ description: 'Epoch milliseconds.' }),
    updatedAt: Type.Integer({ description: 'Epoch milliseconds.' }),
    ...Described,
    extractedRulesCount: Type.Optional(Type.Integer({ description: 'Once completed.' })),
    chunkCount: Type.Optional(Type.Integer({ description: 'Once completed.' })),
  }),
  errors: ['NOT_FOUND'],
  message: '',
  bare: true,
}).run(async ({ db, tenant, input, ...services }) => {
  const source = await findSource(db, tenant, input.sourceId)
  const { sourceId, uploadedAt, updatedAt, ruleCount, chunkCount, of } = source
  return {
    status: statusOf(source),
    sourceId,
    startedAt: uploadedAt,
    updatedAt,
    ...described(source),
    ...(source.status === 'completed' && {
      extractedRulesCount: ruleCount,
      chunkCount,
      ...downloadUrls({ apiKey: tenant.apiKey, key: of }, services),
    }),
  }
})
