import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { oneOf, Type } from '../../platform/schema.ts'
import { downloadUrls } from './source/file-links.ts'
import { Described, described, ingested, readSources, SourceStatus, statusOf } from './source/source.ts'

/** Lists the newest 100 knowledge sources. */
export const listKnowledge = operation({
  path: '/v2/memory/knowledge/list',
  auth: 'apiKey',
  access: 'read',
  large: true,
  summary: 'List knowledge sources',
  input: Type.Object({}),
  example: {},
  output: Type.Array(
    Type.Object({
      id: Type.String(),
      sourceType: oneOf(['inline', 'fileRef'], 'How the file came.'),
      fileName: Type.String(),
      uploadedAt: Type.Integer({ description: 'Epoch milliseconds.' }),
      ruleCount: Type.Integer(),
      chunkCount: Type.Integer(),
      embeddingStatus: SourceStatus,
      sha256: Type.Optional(Type.String({ description: 'Of the file, in hexadecimal digits.' })),
      ...Described,
    }),
    { description: 'The newest first.' },
  ),
  errors: [],
  message: '',
  bare: true,
}).run(async ({ db, tenant, input: _, ...services }) => {
  const rest = sql`order by s.uploaded_at desc, s.key desc limit 100`
  const sources = await readSources(db, tenant, { condition: ingested, rest })
  return sources.map((source) => ({
    id: source.sourceId,
    sourceType: source.sourceType,
    fileName: source.fileName,
    uploadedAt: source.uploadedAt,
    ruleCount: source.ruleCount,
    chunkCount: source.chunkCount,
    embeddingStatus: statusOf(source),
    ...(source.sha256 !== null && { sha256: source.sha256 }),
    ...described(source),
    ...(source.status === 'completed' && downloadUrls({ apiKey: tenant.apiKey, key: source.of }, services)),
  }))
})
