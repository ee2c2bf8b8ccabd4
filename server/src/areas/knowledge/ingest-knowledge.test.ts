import { beforeAll, expect, test } from 'vitest'
import { pdfOf } from '../../../test/office-files.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] })
  await ws.ok('/v2/organizations/documents/add', { organizationId: 'acme', documents: [{ documentId: 'doc' }] })
})

const SLOW = 120_000
const POLICY = `# Budget

Proposals without an itemised budget are rejected.

# Team

- Every proposal names at least two maintainers.
- Anonymous teams must deposit collateral.
`
const fileOf = (text: string, fileName = 'policy.md') => ({
  base64: Buffer.from(text).toString('base64'),
  mimeType: 'text/plain',
  fileName,
  fileSize: Buffer.byteLength(text),
})
const ingest = (text: string, more: object = {}, of = ws) =>
  of.ok('/v2/memory/knowledge/ingest', { source: 'inline', file: fileOf(text), ...more })
const here = (url: string) => url.replace('https://precedent.test', service.url)
const statusOf = (sourceId: string, of = ws) => of.ok('/v2/memory/knowledge/ingest-status', { sourceId })
const refusal = async (
  data: object,
  path: '/v2/memory/knowledge/ingest' | '/v2/memory/knowledge/update' = '/v2/memory/knowledge/ingest',
) => {
  const { status, body } = await ws.call(path, data)
  return [status, body.error.message]
}

let policy = ''

test('an inline file is read in the background, and then has rules, chunks and links', { timeout: SLOW }, async () => {
  const answer = await ingest(POLICY)
  policy = answer.sourceId
  expect(answer).toMatchObject({ status: 'processing', sourceId: expect.stringMatching(/^src_/) })
  expect(await statusOf(policy)).toMatchObject({ status: 'processing', mimeType: 'text/plain' })
  await service.drainJobs()
  expect(await statusOf(policy)).toMatchObject({
    status: 'completed',
    extractedRulesCount: 3,
    chunkCount: 2,
    metadata: { usedRawFallback: false, version: 1 },
  })
  expect(await ws.ok('/v2/memory/knowledge/rules', { sourceId: policy })).toMatchObject([
    { category: 'Budget', content: 'Proposals without an itemised budget are rejected.', index: 0 },
    { category: 'Team', content: 'Every proposal names at least two maintainers.', index: 1 },
    { category: 'Team', content: 'Anonymous teams must deposit collateral.', index: 2 },
  ])
  expect(await ws.ok('/v2/memory/knowledge/download', { sourceId: policy })).toBe(POLICY)
  expect(await ws.ok('/v2/memory/knowledge/list')).toMatchObject([
    {
      id: policy,
      fileName: 'policy.md',
      sourceType: 'inline',
      ruleCount: 3,
      chunkCount: 2,
      embeddingStatus: 'completed',
    },
  ])
  expect(await ws.ok('/v2/memory/stats/get')).toMatchObject({ totalKnowledgeSources: 1 })
})

test('the links load the file and its text, and a forged or late one loads nothing', async () => {
  const { originalDownloadUrl = '', canonicalMdDownloadUrl = '' } = await statusOf(policy)
  const loaded = await fetch(here(originalDownloadUrl))
  expect([loaded.headers.get('content-type'), await loaded.text()]).toEqual(['text/plain', POLICY])
  expect(await (await fetch(here(canonicalMdDownloadUrl))).text()).toBe(POLICY)
  expect((await fetch(`${here(originalDownloadUrl).slice(0, -3)}xyz`)).status).toBe(403)
  service.clock.ahead += 16 * 60_000
  expect((await fetch(here(originalDownloadUrl))).status).toBe(403)
  service.clock.ahead -= 16 * 60_000
})

test('a search finds pieces of the text, and rules where they are wanted', async () => {
  const search = (more: object) =>
    ws.ok('/v2/memory/knowledge/search', { query: 'must anonymous teams deposit collateral?', ...more })
  const { results, recordsSearched } = await search({})
  expect(results[0]).toMatchObject({ sourceId: policy, kind: 'chunk', category: 'Team' })
  expect(results.every(({ score }) => score >= 0 && score < 1)).toBe(true)
  expect(recordsSearched).toBe(results.length)
  const [rule] = (await search({ includeRules: true, limit: 1 })).results
  expect(rule).toMatchObject({
    kind: 'rule',
    ruleId: expect.any(String),
    text: 'Anonymous teams must deposit collateral.',
  })
  expect((await search({ sourceId: 'src_unknown' })).results).toEqual([])
  expect((await search({ sourceId: [policy, 'src_unknown'] })).results.length).toBeGreaterThan(0)
  expect((await ws.call('/v2/memory/knowledge/search', { query: 'x', organizationId: 'acme' })).status).toBe(400)
})

test('a suggestion cites the rules that bear on the item, and says that they are fresh', async () => {
  const decide = (n: number) => ({
    recordId: `k${n}`,
    decision: 'reject',
    reasoning: 'No budget.',
    content: `A wallet for farmers, proposal ${n}, whose budget is not itemised`,
    actionUser: { userId: `u${n}`, name: 'Someone' },
  })
  await ws.ok('/v2/memory/judgments/add', { judgments: [1, 2, 3].map(decide) })
  const item = 'A wallet for farmers. The proposal comes without an itemised budget.'
  const { primary, knowledge } = await ws.ok('/v2/memory/suggest', { query: item })
  expect(knowledge).toMatchObject([
    {
      sourceId: policy,
      fileName: 'policy.md',
      category: 'Budget',
      text: 'Proposals without an itemised budget are rejected.',
    },
  ])
  expect(primary?.caveats.at(-1)).toBe('Rules that bear on the item changed in the last 48 hours: policy.md.')
  expect(await ws.ok('/v2/memory/suggest', { query: 'A recipe for tomato soup' })).toEqual({
    primary: null,
    conflict: null,
    warnings: ['No suggestion: no judgment is similar enough to the item.'],
  })
})

test('a source of a document bears on its items only, and goes with it', { timeout: SLOW }, async () => {
  const place = { organizationId: 'acme', documentId: 'doc' }
  const { sourceId } = await ingest('- Sponsored links need a visible disclosure label.', place)
  await service.drainJobs()
  const cited = async (at: object) =>
    (await ws.ok('/v2/memory/suggest', { query: 'Sponsored links without a disclosure label', ...at })).knowledge
  expect(await cited(place)).toMatchObject([{ sourceId }])
  expect(await cited({ organizationId: 'acme' })).toBeUndefined()
  await ws.ok('/v2/organizations/documents/delete', { organizationId: 'acme', documentIds: ['doc'] })
  expect((await ws.call('/v2/memory/knowledge/ingest-status', { sourceId })).status).toBe(404)
})

test('a file with the same bytes mirrors the first, which cannot be deleted before it', async () => {
  const { sourceId: copy } = await ingest(POLICY)
  expect(await statusOf(copy)).toMatchObject({ status: 'completed', dedupOf: policy, extractedRulesCount: 3 })
  const refused = await ws.call('/v2/memory/knowledge/delete', { sourceId: policy })
  expect([refused.status, refused.body.error.status, refused.body.error.details]).toEqual([
    409,
    'ABORTED',
    { dependentCount: 1 },
  ])
  expect(await ws.ok('/v2/memory/knowledge/delete', { sourceId: copy })).toEqual({
    status: 'deleted',
    sourceId: copy,
    deletedChunks: 0,
    deletedRules: 0,
  })
})

test('an update tells which rules came and went, and the others keep their ids', async () => {
  const before = await ws.ok('/v2/memory/knowledge/rules', { sourceId: policy })
  const newContent = POLICY.replace('- Anonymous teams must deposit collateral.', '- Anonymous teams are refused.')
  expect(await ws.ok('/v2/memory/knowledge/update', { sourceId: policy, newContent })).toEqual({
    diff: {
      added: ['Anonymous teams are refused.'],
      removed: ['Anonymous teams must deposit collateral.'],
      unchanged: 2,
    },
    newVersion: 2,
  })
  const after = await ws.ok('/v2/memory/knowledge/rules', { sourceId: policy })
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2))
  const { results } = await ws.ok('/v2/memory/knowledge/search', { query: 'collateral', includeRules: true })
  expect(results).toEqual([])
})

test('the text that a source has is no new version, and other text around the same rules does not make them fresh', async () => {
  const data = { query: 'A wallet for farmers. The proposal comes without an itemised budget.' }
  const caveats = async () => (await ws.ok('/v2/memory/suggest', data)).primary?.caveats.join(' ')
  const newContent = POLICY.replace('- Anonymous teams must deposit collateral.', '- Anonymous teams are refused.')
  const update = (text: string) => ws.ok('/v2/memory/knowledge/update', { sourceId: policy, newContent: text })
  expect(await update(newContent)).toEqual({ diff: { added: [], removed: [], unchanged: 3 }, newVersion: 2 })
  await service.database.query(
    sql`update knowledge_source set rules_changed_at = now_ms() - 200000000 where api_key = ${ws.apiKey}`,
  )
  expect(await update(`A preface.\n\n${newContent}`)).toMatchObject({ newVersion: 3 })
  expect(await caveats()).not.toContain('48 hours')
  expect(await update(`${newContent}\n- Teams are small.\n`)).toMatchObject({ newVersion: 4 })
  expect(await caveats()).toContain('Rules that bear on the item changed in the last 48 hours: policy.md.')
  const many = Array.from({ length: 20_001 }, (_, i) => `- ${i}`).join('\n')
  expect(await refusal({ sourceId: policy, newContent: many }, '/v2/memory/knowledge/update')).toEqual([
    400,
    'newContent must have fewer rules and pieces',
  ])
})

test('only a source with rules can be updated', { timeout: SLOW }, async () => {
  const { sourceId } = await ingest('Just some prose without any structure.')
  await service.drainJobs()
  const data = { sourceId, newContent: '- A rule.' }
  expect((await ws.call('/v2/memory/knowledge/update', data)).body.error.status).toBe('FAILED_PRECONDITION')
})

test('a file that is being read cannot be deleted, a failed one says why and can', { timeout: SLOW }, async () => {
  const pdf = { ...fileOf('%PDF-1.7 but nothing else'), mimeType: 'application/pdf' }
  const { sourceId } = await ws.ok('/v2/memory/knowledge/ingest', { source: 'inline', file: pdf })
  expect((await ws.call('/v2/memory/knowledge/delete', { sourceId })).body.error.status).toBe('ABORTED')
  await service.drainJobs()
  expect(await statusOf(sourceId)).toMatchObject({ status: 'failed', failureReason: 'file-unreadable' })
  await ws.ok('/v2/memory/knowledge/delete', { sourceId })
  expect((await ws.call('/v2/memory/knowledge/delete', { sourceId })).status).toBe(404)
})

test('a download has the name of the file, whatever its letters and marks', { timeout: SLOW }, async () => {
  const file = fileOf(POLICY, "Größe & Ada's „Farbe“ (1)*.md")
  const other = await newWorkspace(service)
  const { sourceId } = await other.ok('/v2/memory/knowledge/ingest', { source: 'inline', file })
  await service.drainJobs()
  const { originalDownloadUrl = '' } = await statusOf(sourceId, other)
  const name = (await fetch(here(originalDownloadUrl))).headers.get('content-disposition')?.split("UTF-8''")[1] ?? ''
  expect(decodeURIComponent(name)).toBe(file.fileName)
  expect(name).toMatch(/^[A-Za-z0-9%!#$&+.^_`|~-]+$/)
})

test('size, type and encoding of an inline file are checked', async () => {
  const file = fileOf(POLICY)
  expect(await refusal({ source: 'inline' })).toEqual([400, 'file is required'])
  expect(await refusal({ source: 'inline', file: { ...file, fileSize: 3 } })).toEqual([
    400,
    `file.fileSize must be the size of the file, ${file.fileSize}`,
  ])
  expect(await refusal({ source: 'inline', file: { ...file, mimeType: 'application/pdf' } })).toEqual([
    400,
    'file.mimeType must be the type of the bytes, which are no application/pdf',
  ])
  expect(await refusal({ source: 'inline', file: { ...file, base64: '%%%' } })).toEqual([
    400,
    'file.base64 must be base64',
  ])
  expect(await refusal({ source: 'inline', file, documentId: 'doc' })).toEqual([
    400,
    expect.stringContaining('organizationId'),
  ])
  expect(await refusal({ source: 'inline', file, organizationId: 'nowhere' })).toEqual([404, expect.any(String)])
})

test.each(['%PDF-1.7\n1 0 obj', '{\\rtf1 Hello}'])(
  'bytes that begin like another type are no text: %j',
  async (bytes) => {
    for (const mimeType of ['text/plain', 'text/csv']) {
      expect(await refusal({ source: 'inline', file: { ...fileOf(bytes), mimeType } })).toEqual([
        400,
        `file.mimeType must be the type of the bytes, which are no ${mimeType}`,
      ])
    }
  },
)

test('a file without text is refused, at once or when it is read', { timeout: SLOW }, async () => {
  expect(await refusal({ source: 'inline', file: { ...fileOf(' \n\n'), mimeType: 'text/csv' } })).toEqual([
    400,
    'file.base64 must hold more than blanks',
  ])
  for (const [mimeType, bytes] of [
    ['application/pdf', pdfOf([])],
    ['text/csv', Buffer.from(';;\n;;\n')],
  ] as const) {
    const file = { base64: bytes.toString('base64'), mimeType, fileName: 'empty', fileSize: bytes.length }
    const { sourceId } = await ws.ok('/v2/memory/knowledge/ingest', { source: 'inline', file })
    await service.drainJobs()
    expect(await statusOf(sourceId)).toMatchObject({ status: 'failed', failureReason: 'no-text' })
  }
})

test('another API key sees nothing of it', async () => {
  const other = await newWorkspace(service)
  expect(await other.ok('/v2/memory/knowledge/list')).toEqual([])
  expect((await other.call('/v2/memory/knowledge/ingest-status', { sourceId: policy })).status).toBe(404)
  expect(await other.ok('/v2/memory/knowledge/download', { sourceId: policy })).toBeNull()
  expect((await other.ok('/v2/memory/knowledge/search', { query: 'itemised budget' })).results).toEqual([])
})

test('API keys take turns: many files of one do not come before the file of another', { timeout: SLOW }, async () => {
  const [many, few] = [await newWorkspace(service), await newWorkspace(service)]
  for (let i = 0; i < 4; i++) await ingest(`Rule ${i} of many.`, {}, many)
  const { sourceId } = await ingest('The one rule of few.', {}, few)
  await service.drainJobs()
  const order = await service.database.query<{ api_key: string }>(sql`
    select api_key
    from knowledge_source
    where api_key in (${many.apiKey}, ${few.apiKey}) and status = 'completed'
    order by updated_at`)
  expect(order).toHaveLength(5)
  expect(order.slice(0, 3)).toContainEqual({ api_key: few.apiKey })
  expect(await statusOf(sourceId, few)).toMatchObject({ status: 'completed' })
})
