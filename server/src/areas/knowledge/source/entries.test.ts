import { expect, test } from 'vitest'
import { newWorkspace, startService } from '../../../../test/running-service.ts'
import { sql } from '../../../platform/db/db.ts'
import { storeEntries } from './entries.ts'

test('entries of many words are stored by statements of few words each, and completely', async () => {
  const service = await startService()
  const { database } = service
  const { apiKey, ok } = await newWorkspace(service)
  const file = { base64: 'LSB4Cg==', mimeType: 'text/plain', fileName: 'policy.md', fileSize: 4 }
  const { sourceId } = await ok('/v2/memory/knowledge/ingest', { source: 'inline', file })
  const [source] = await database.query<{ key: string }>(sql`
    select key from knowledge_source where api_key = ${apiKey} and source_id = ${sourceId}`)
  const terms = Array.from({ length: 1_000 }, (_, number) => `word${number}`)
  const entries = Array.from({ length: 10 }, (_, number) => ({
    kind: 'rule' as const,
    category: null,
    content: `rule ${number}`,
    terms: terms.join(' '),
    weights: terms.map(() => 0.03),
  }))
  await storeEntries(database, { apiKey }, { key: source?.key ?? '', sourceId }, entries, sql`true`)
  const stored = await database.query(sql`
    select first, count(*) as terms, min(positions) as positions
    from knowledge_term
    where api_key = ${apiKey} and key = ${source?.key}::uuid
    group by first
    order by first`)
  expect(stored).toEqual([
    { first: 0, terms: 1_000, positions: [0, 1, 2, 3] },
    { first: 4, terms: 1_000, positions: [4, 5, 6, 7] },
    { first: 8, terms: 1_000, positions: [8, 9] },
  ])
})
