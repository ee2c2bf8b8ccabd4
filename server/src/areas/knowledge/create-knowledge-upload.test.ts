import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startOn, startService, type TestWorkspace } from '../../../test/running-service.ts'

const SLOW = 120_000
let service: Service
let other: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
  other = await startOn(service.database, {})
  ws = await newWorkspace(service)
})

const TEXT = `# Large\n\n${'- Every large file holds rules of this kind.\n'.repeat(40_000)}`
const request = { mimeType: 'text/plain', fileSize: TEXT.length, fileName: 'large.txt' }
const ask = (data: object = request) => ws.ok('/v2/memory/knowledge/upload-url', data)
const put = (url: string, body: string, at = service, type = 'text/plain') =>
  fetch(url.replace('https://precedent.test', at.url), { method: 'PUT', body, headers: { 'content-type': type } })
const ingest = async (fileRef: string, more: object = {}) =>
  ws.call('/v2/memory/knowledge/ingest', { source: 'fileRef', fileRef, mimeType: 'text/plain', ...more })

test('a file sent to the address, through any process, is read once it is ingested', { timeout: SLOW }, async () => {
  const { uploadUrl, fileRef, expiresAt } = await ask()
  expect(expiresAt - Date.now()).toBeGreaterThan(14 * 60_000)
  expect(await ws.ok('/v2/memory/knowledge/list')).toEqual([])
  expect((await ingest(fileRef)).body.error.status).toBe('FAILED_PRECONDITION')
  expect((await put(uploadUrl, TEXT, other)).status).toBe(200)
  expect((await ingest(fileRef)).body.result).toMatchObject({ status: 'processing', sourceId: fileRef })
  expect((await ingest(fileRef)).body.error.status).toBe('FAILED_PRECONDITION')
  expect((await put(uploadUrl, TEXT)).status).toBe(400)
  await service.drainJobs()
  expect(await ws.ok('/v2/memory/knowledge/ingest-status', { sourceId: fileRef })).toMatchObject({
    status: 'completed',
    extractedRulesCount: 1,
  })
  expect(await ws.ok('/v2/memory/knowledge/download', { sourceId: fileRef })).toBe(TEXT)
})

test('what is longer, shorter or of another type than announced is refused, and leaves nothing', async () => {
  const { uploadUrl, fileRef } = await ask({ ...request, fileSize: 10 })
  expect((await put(uploadUrl, 'x'.repeat(11))).status).toBe(413)
  expect((await put(uploadUrl, 'x'.repeat(9))).status).toBe(400)
  expect((await put(uploadUrl, 'x'.repeat(10), service, 'text/csv')).status).toBe(415)
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(Buffer.alloc(65_536, 0x78)) })
  const url = uploadUrl.replace('https://precedent.test', service.url)
  const headers = { 'content-type': 'text/plain' }
  const streamed = fetch(url, { method: 'PUT', body: endless, headers, duplex: 'half' } as RequestInit)
  expect((await streamed.catch(() => ({ status: 413 }))).status).toBe(413)
  expect((await put(uploadUrl, 'x'.repeat(10))).status).toBe(200)
  expect((await ingest(fileRef)).status).toBe(200)
})

test('a forged or expired address takes nothing', async () => {
  const { uploadUrl, fileRef } = await ask({ ...request, fileSize: 10 })
  expect((await put(`${uploadUrl.slice(0, -4)}AAAA`, 'x'.repeat(10))).status).toBe(403)
  service.clock.ahead += 16 * 60_000
  expect((await put(uploadUrl, 'x'.repeat(10))).status).toBe(403)
  service.clock.ahead -= 16 * 60_000
  expect((await ingest(fileRef)).body.error.status).toBe('FAILED_PRECONDITION')
})

test('an upload of another API key or another place is refused', async () => {
  const { fileRef } = await ask({ ...request, fileSize: 10 })
  const stranger = await newWorkspace(service)
  const data = { source: 'fileRef', fileRef, mimeType: 'text/plain' }
  expect((await stranger.call('/v2/memory/knowledge/ingest', data)).body.error.status).toBe('PERMISSION_DENIED')
  expect((await ingest(fileRef, { organizationId: 'elsewhere' })).body.error.status).toBe('PERMISSION_DENIED')
})

test('at most 50 uploads are outstanding', async () => {
  const own = await newWorkspace(service)
  for (let i = 0; i < 50; i++) await own.ok('/v2/memory/knowledge/upload-url', request)
  expect((await own.call('/v2/memory/knowledge/upload-url', request)).body.error.status).toBe('RESOURCE_EXHAUSTED')
})

test('the addresses of a disabled key lead nowhere, until it is enabled again', async () => {
  const of = await newWorkspace(service)
  const ask = () => of.ok('/v2/memory/knowledge/upload-url', { ...request, fileSize: 10 })
  const [sent, unsent] = [await ask(), await ask()]
  expect((await put(sent.uploadUrl, '- A rule.\n')).status).toBe(200)
  const ingested = { source: 'fileRef', fileRef: sent.fileRef, mimeType: 'text/plain' }
  expect((await of.call('/v2/memory/knowledge/ingest', ingested)).status).toBe(200)
  await service.drainJobs()
  const status = await of.ok('/v2/memory/knowledge/ingest-status', { sourceId: sent.fileRef })
  const get = (url = '') => fetch(url.replace('https://precedent.test', service.url))
  const statuses = async () => [
    (await put(unsent.uploadUrl, 'x'.repeat(9))).status,
    (await get(status.originalDownloadUrl)).status,
    (await get(status.canonicalMdDownloadUrl)).status,
  ]
  const setDisabled = (disabled: boolean) =>
    service.call('/v2/workspace/apikey/update', { apiKey: of.apiKey, disabled }, of.workspaceHeaders)
  expect(await statuses()).toEqual([400, 200, 200])
  await setDisabled(true)
  expect(await statuses()).toEqual([403, 403, 403])
  await setDisabled(false)
  expect(await statuses()).toEqual([400, 200, 200])
})
