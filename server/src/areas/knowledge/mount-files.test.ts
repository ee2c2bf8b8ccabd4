import { once } from 'node:events'
import { get, request as httpRequest, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, test, vi } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'

const PART = 1024 * 1024
let service: Service

beforeAll(async () => {
  service = await startService()
})

const optionsOf = (address: string) => {
  const { port, pathname, search } = new URL(address.replace('https://precedent.test', service.url))
  return { port, path: pathname + search, agent: false } as const
}

const partsOf = ({ apiKey }: TestWorkspace) =>
  service.database.query<{ key: string }>(sql`select key from knowledge_part where api_key = ${apiKey}`)

/** An upload that has stored its first part and waits for the rest. */
async function half(ws: TestWorkspace, place: object = {}) {
  const fileSize = 2 * PART
  const { uploadUrl } = await ws.ok('/v2/memory/knowledge/upload-url', { mimeType: 'text/plain', fileSize, ...place })
  const headers = { 'content-type': 'text/plain', 'content-length': fileSize }
  const sender = httpRequest({ ...optionsOf(uploadUrl), method: 'PUT', headers })
  sender.on('error', () => {})
  sender.write(Buffer.alloc(PART, 'x'))
  await expect.poll(() => partsOf(ws)).toHaveLength(1)
  return sender
}

test('an upload whose place is deleted meanwhile is told that it is not awaited', async () => {
  const ws = await newWorkspace(service)
  const organizationId = 'acme'
  await ws.ok('/v2/organizations/add', { organizations: [{ organizationId }] })
  const sender = await half(ws, { organizationId })
  await ws.ok('/v2/organizations/delete', { organizationIds: [organizationId] })
  await service.drainJobs()
  expect(await partsOf(ws)).toEqual([])
  const answered = once(sender, 'response')
  sender.end(Buffer.alloc(PART, 'x'))
  const [response] = (await answered) as [IncomingMessage]
  const { error } = JSON.parse(Buffer.concat(await response.toArray()).toString())
  expect(error).toMatchObject({ code: 400, status: 'FAILED_PRECONDITION', message: 'No upload is awaited here.' })
})

test('a sender who leaves before the end is no error of the service, and leaves nothing', async () => {
  const ws = await newWorkspace(service)
  const logged = vi.spyOn(service.app.services.log, 'error')
  const sender = await half(ws)
  sender.destroy()
  await expect.poll(() => partsOf(ws)).toEqual([])
  await delay(100)
  expect(logged).not.toHaveBeenCalled()
})

test('the upload that becomes the file leaves no parts of others, such as of a process that was killed', async () => {
  const ws = await newWorkspace(service)
  const { uploadUrl } = await ws.ok('/v2/memory/knowledge/upload-url', { mimeType: 'text/plain', fileSize: 5 })
  await service.database.query(sql`
    insert into knowledge_part (api_key, key, file, number, bytes)
    select api_key, key, gen_random_uuid(), 0, 'gone' from knowledge_source where api_key = ${ws.apiKey}`)
  const headers = { 'content-type': 'text/plain' }
  const address = uploadUrl.replace('https://precedent.test', service.url)
  expect((await fetch(address, { method: 'PUT', headers, body: 'A rule' })).status).toBe(413)
  expect(await partsOf(ws)).toHaveLength(1)
  expect((await fetch(address, { method: 'PUT', headers, body: 'Rules' })).status).toBe(200)
  const parts = await service.database.query(sql`
    select convert_from(bytes, 'UTF8') as text from knowledge_part where api_key = ${ws.apiKey}`)
  expect(parts).toEqual([{ text: 'Rules' }])
})

test('a download during which the file is deleted breaks off, instead of ending as if it were whole', async () => {
  const ws = await newWorkspace(service)
  const text = '- Every plan has an owner.'
  const file = { base64: btoa(text), mimeType: 'text/plain', fileName: 'plan.txt', fileSize: text.length }
  const { sourceId } = await ws.ok('/v2/memory/knowledge/ingest', { source: 'inline', file })
  await service.drainJobs()
  const more = 30
  await service.database.query(sql`
    with more as (
      insert into knowledge_part (api_key, key, file, number, bytes)
      select api_key, key, file, n, convert_to(repeat('x', ${PART}), 'UTF8')
      from knowledge_part, generate_series(1, ${more}) as n
      where api_key = ${ws.apiKey}
    )
    update knowledge_source set size = size + ${more * PART} where api_key = ${ws.apiKey}`)
  const { originalDownloadUrl = '' } = await ws.ok('/v2/memory/knowledge/ingest-status', { sourceId })
  const [response] = (await once(get(optionsOf(originalDownloadUrl)), 'response')) as [IncomingMessage]
  await ws.ok('/v2/memory/knowledge/delete', { sourceId })
  await expect(response.toArray()).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'at most 50 uploads are outstanding, also when they are asked for at once',
  async () => {
    const ws = await newWorkspace(service)
    const ask = () => ws.call('/v2/memory/knowledge/upload-url', { mimeType: 'text/plain', fileSize: 10 })
    const answers = await Promise.all(Array.from({ length: 70 }, ask))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50)
  },
)

test('a download whose file is deleted before its first part is sent is told that there is none', async () => {
  const ws = await newWorkspace(service)
  const file = { base64: btoa('- A rule.'), mimeType: 'text/plain', fileName: 'plan.txt', fileSize: 9 }
  const { sourceId } = await ws.ok('/v2/memory/knowledge/ingest', { source: 'inline', file })
  await service.drainJobs()
  const { originalDownloadUrl = '' } = await ws.ok('/v2/memory/knowledge/ingest-status', { sourceId })
  // As a deletion does just after the file was found.
  await service.database.query(sql`delete from knowledge_part where api_key = ${ws.apiKey}`)
  const response = await fetch(originalDownloadUrl.replace('https://precedent.test', service.url))
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ error: { status: 'NOT_FOUND' } })
})
