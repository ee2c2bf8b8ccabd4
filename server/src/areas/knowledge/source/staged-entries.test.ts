import { expect, test } from 'vitest'
import { newWorkspace, startService } from '../../../../test/running-service.ts'
import { sql } from '../../../platform/db/db.ts'
import { indexed } from '../reading/indexed-text.ts'
import { stageEntries } from './staged-entries.ts'

async function sourceOf(text: string) {
  const service = await startService()
  const ws = await newWorkspace(service)
  const bytes = Buffer.from(text)
  const file = {
    base64: bytes.toString('base64'),
    mimeType: 'text/plain',
    fileName: 'policy.md',
    fileSize: bytes.length,
  }
  const { sourceId } = await ws.ok('/v2/memory/knowledge/ingest', { source: 'inline', file })
  await service.drainJobs()
  const stage = async (next: string) =>
    stageEntries(service.database, { apiKey: ws.apiKey } as never, sourceId, await indexed(next, mapped))
  const rules = async () => (await ws.ok('/v2/memory/knowledge/rules', { sourceId })).map(contentOf)
  const found = async (query: string) => (await ws.ok('/v2/memory/knowledge/search', { query })).results.map(textOf)
  const update = (newContent: string) => ws.ok('/v2/memory/knowledge/update', { sourceId, newContent })
  const firsts = async () => {
    const [row] = await service.database.query<{ entries: (number | null)[]; terms: number[] }>(sql`
      select array(select min(position)::int from knowledge_entry where api_key = ${ws.apiKey}) as entries,
        array(select distinct first from knowledge_term where api_key = ${ws.apiKey}) as terms`)
    return row
  }
  return { ...service, ...ws, sourceId, stage, rules, found, update, firsts }
}

const contentOf = ({ content }: { content: string }) => content
const textOf = ({ text }: { text: string }) => text
const mapped = async <Item, Made>(items: Item[], make: (item: Item) => Made) => items.map(make)

test('nobody reads staged entries, and the next update deletes those that were not used', async () => {
  const { stage, rules, found, update, firsts } = await sourceOf('- A logo must be sharp.\n')
  expect(await stage('- A zebra must be striped.\n- A logo must be striped.\n')).toEqual({ first: 2, after: 1 })
  expect(await rules()).toEqual(['A logo must be sharp.'])
  expect(await found('zebra')).toEqual([])
  expect(await found('logo')).toEqual(['A logo must be sharp.'])

  expect(await update('- A quagga must be striped.\n')).toMatchObject({ newVersion: 2, diff: { unchanged: 0 } })
  expect(await rules()).toEqual(['A quagga must be striped.'])
  expect(await found('logo')).toEqual([])
  expect(await found('striped')).toEqual(['A quagga must be striped.'])
  expect(await firsts()).toEqual({ entries: [5], terms: [5] })
})

test('positions start anew before they end', async () => {
  const { apiKey, database, rules, found, update, firsts } = await sourceOf('- A logo must be sharp.\n')
  await update('- A logo must be round.\n')
  await database.query(sql`update knowledge_source set next_position = 1000000001 where api_key = ${apiKey}`)
  await update('- A logo must be striped.\n')
  expect(await firsts()).toEqual({ entries: [0], terms: [0] })
  expect([await rules(), await found('logo')]).toEqual([['A logo must be striped.'], ['A logo must be striped.']])
})

test('a text that is not to be is not staged: the same one, or of a source that is gone', async () => {
  const { stage, ok, sourceId, firsts } = await sourceOf('- A logo must be sharp.\n')
  expect(await stage('- A logo must be sharp.\n')).toBeUndefined()
  await ok('/v2/memory/knowledge/delete', { sourceId })
  expect(await stage('- A logo must be striped.\n')).toBeUndefined()
  expect(await firsts()).toEqual({ entries: [null], terms: [] })
})
