import { expect, test } from 'vitest'
import { newWorkspace, startService } from '../../../../test/running-service.ts'
import { sql } from '../../../platform/db/db.ts'

test('of a word that very many entries have, a search reads some only, and all of a rarer one', async () => {
  const service = await startService()
  const { apiKey, ok } = await newWorkspace(service)
  const file = { base64: 'LSBMb2dvCg==', mimeType: 'text/plain', fileName: 'policy.md', fileSize: 7 }
  const { sourceId } = await ok('/v2/memory/knowledge/ingest', { source: 'inline', file })
  await service.drainJobs()
  const source = sql`(select key from knowledge_source where api_key = ${apiKey} and source_id = ${sourceId})`
  await service.database.query(sql`
    insert into knowledge_entry (api_key, key, position, kind, content)
    select ${apiKey}, ${source}, position, 'chunk', 'entry ' || position
    from unnest(array[99999, 124999]) as p (position)`)
  await service.database.query(sql`
    update knowledge_source set chunk_count = 125000 where api_key = ${apiKey} and key = ${source}`)
  await service.database.query(sql`
    insert into knowledge_term (api_key, term, key, first, positions, weights)
    select ${apiKey}, 'zebra', ${source}, 250 * n, array(select 250 * n + i from generate_series(0, 249) as i),
      array_fill((n + 1)::real / 500, array[250])
    from generate_series(0, 499) as n`)
  await service.database.query(sql`
    insert into knowledge_term (api_key, term, key, first, positions, weights)
    values (${apiKey}, 'quagga', ${source}, 124750, '{124999}', '{0.1}')`)
  const found = async (query: string) => {
    const { results } = await ok('/v2/memory/knowledge/search', { query })
    return results.map(({ text }: { text: string }) => text)
  }
  expect(await found('zebra')).toEqual(['entry 99999'])
  expect(await found('quagga')).toEqual(['entry 124999'])
})
