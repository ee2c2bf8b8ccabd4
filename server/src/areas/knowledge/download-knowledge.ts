import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { nullable, Type } from '../../platform/schema.ts'
import { findSourceIfAny, SourceIdField } from './source/source.ts'

/** Returns the text of a source; null for one that is unknown or not read. */
export const downloadKnowledge = operation({
  path: '/v2/memory/knowledge/download',
  auth: 'apiKey',
  access: 'read',
  large: true,
  summary: 'Get the text of a knowledge source',
  input: Type.Object({ sourceId: SourceIdField }),
  example: { sourceId: 'the sourceId of the file' },
  output: nullable(Type.String({ description: 'Markdown.' })),
  errors: [],
  message: '',
  bare: true,
}).run(async ({ db, tenant, input: { sourceId } }) => {
  const source = await findSourceIfAny(db, tenant, sourceId)
  if (source?.status !== 'completed') return null
  const [row] = await db.query<{ markdown: string | null }>(sql`
    select markdown from knowledge_source where api_key = ${tenant.apiKey} and key = ${source.of}::uuid`)
  return row?.markdown ?? null
})
