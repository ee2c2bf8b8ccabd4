import { sql } from '../../platform/db/db.ts'
import { ApiError, invalidField } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { requiredText, Type } from '../../platform/schema.ts'
import { mapWithRests } from '../../platform/turns/yield.ts'
import { type IndexedText, indexed } from './reading/indexed-text.ts'
import { ReadingError } from './reading/reading.ts'
import { dropEntries, readRules } from './source/entries.ts'
import { lockSource, SourceIdField } from './source/source.ts'
import { stageEntries } from './source/staged-entries.ts'

const MOST_CHARACTERS = 256 * 1024

/**
 * Replaces the text of a source with rules, and tells which rules came and went. The same text is no new version. The
 * rules count as changed only if one came or went.
 */
export const updateKnowledge = operation({
  path: '/v2/memory/knowledge/update',
  auth: 'apiKey',
  access: 'write',
  administers: true,
  summary: 'Replace the text of a knowledge source',
  description:
    'Takes Markdown or plain text. A rule whose text stays keeps its id. The file that was sent is kept. The text that it has is no new version.',
  input: Type.Object({
    sourceId: SourceIdField,
    newContent: requiredText('The new text, as Markdown.', MOST_CHARACTERS),
  }),
  example: { sourceId: 'the sourceId of the file', newContent: '- Every picture has an alt text of one sentence.\n' },
  output: Type.Object({
    diff: Type.Object({
      added: Type.Array(Type.String(), { description: 'The texts of the new rules.' }),
      removed: Type.Array(Type.String(), { description: 'The texts of the rules that are gone.' }),
      unchanged: Type.Integer({ description: 'How many rules stay.' }),
    }),
    newVersion: Type.Integer(),
  }),
  errors: ['NOT_FOUND', 'FAILED_PRECONDITION', 'ABORTED'],
  message: '',
  bare: true,
  prepare: async ({ sourceId, newContent }, { db, tenant }) => {
    const text = await read(newContent)
    return { ...text, staged: await stageEntries(db, tenant, sourceId, text) }
  },
}).run(async ({ db, tenant, input: { sourceId }, prepared: { markdown, entries, rules, staged } }) => {
  const source = await lockSource(db, tenant, sourceId)
  if (source.dedupOf !== null)
    throw new ApiError('FAILED_PRECONDITION', `This source mirrors ${source.dedupOf}: update that one.`)
  if (source.status !== 'completed' || source.ruleCount === 0)
    throw new ApiError('FAILED_PRECONDITION', 'Only a source that is read and has rules can be updated.')
  const before = (await readRules(db, tenant, source.key)).map(({ content }) => content)
  const [had, has] = [new Set(before), new Set(rules)]
  const added = rules.filter((rule) => !had.has(rule))
  const removed = before.filter((rule) => !has.has(rule))
  const diff = { added, removed, unchanged: rules.length - added.length }
  const [updated] = await db.query<{ version: number }>(sql`
    update knowledge_source
    set markdown = ${markdown}, version = version + 1, rule_count = ${rules.length},
      chunk_count = ${entries.length - rules.length}, first_position = ${staged?.first ?? 0}, updated_at = now_ms(),
      rules_changed_at = case
        when ${added.length + removed.length > 0} then now_ms()
        else coalesce(rules_changed_at, updated_at)
      end
    where api_key = ${tenant.apiKey} and key = ${source.key}::uuid and markdown is distinct from ${markdown}
    returning version`)
  if (!updated) return { diff, newVersion: source.version }
  if (staged?.after !== source.version)
    throw new ApiError('ABORTED', 'Another update has changed the source meanwhile. Try again.')
  await dropEntries(db, tenant, source.key, sql`true`, { first: staged.first, end: staged.first + entries.length })
  return { diff, newVersion: updated.version }
})

async function read(newContent: string): Promise<IndexedText & { rules: string[] }> {
  const text = await indexed(newContent, mapWithRests).catch((error: unknown) => {
    if (!(error instanceof ReadingError)) throw error
    throw invalidField('newContent', error.reason === 'no-text' ? 'must hold text' : 'must have fewer rules and pieces')
  })
  const rules = text.entries.filter(({ kind }) => kind === 'rule').map(({ content }) => content)
  if (rules.length === 0) throw invalidField('newContent', 'must hold a list item or a paragraph below a heading')
  return { ...text, rules }
}
