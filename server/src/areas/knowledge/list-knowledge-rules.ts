import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { readRules } from './source/entries.ts'
import { findSource, Rule, SourceIdField } from './source/source.ts'

/** Lists the rules of a source: its list items and headed paragraphs. */
export const listKnowledgeRules = operation({
  path: '/v2/memory/knowledge/rules',
  auth: 'apiKey',
  access: 'read',
  large: true,
  summary: 'List the rules of a knowledge source',
  input: Type.Object({ sourceId: SourceIdField }),
  example: { sourceId: 'the sourceId of the file' },
  output: Type.Array(Rule, { description: 'In the order of the file; none until it is read.' }),
  errors: ['NOT_FOUND'],
  message: '',
  bare: true,
}).run(async ({ db, tenant, input: { sourceId } }) => {
  const { of, status } = await findSource(db, tenant, sourceId)
  return status === 'completed' ? readRules(db, tenant, of) : []
})
