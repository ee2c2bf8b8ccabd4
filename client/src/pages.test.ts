import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService } from '../../server/test/running-service.ts'
import { OPERATIONS } from './api.ts'
import { type Api, createClient } from './index.ts'
import { pages } from './pages.ts'

let service: Service
let client: Api
beforeAll(async () => {
  service = await startService()
  const ws = await newWorkspace(service)
  client = createClient({
    baseUrl: service.url,
    apiKey: ws.apiKey,
    authToken: ws.keyHeaders['x-service-auth-token'],
    workspaceId: ws.id,
    workspaceAuthToken: ws.authToken,
  })
})

test('for await reads every page, whichever key carries the token', async () => {
  const organizationId = 'acme'
  const ids = ['a', 'b', 'c', 'd', 'e']
  await client.users.addUsers({ organizationId, users: ids.map((userId) => ({ userId })) })
  await client.documents.addDocuments({ organizationId, documents: ids.map((documentId) => ({ documentId })) })
  await client.webhooks.updateAdvancedWebhookConfig({ isEnabled: true })
  for (const id of ids) await client.webhooks.createEndpoint({ url: `https://example.com/${id}` })

  const users: number[] = []
  for await (const page of client.users.getUsers.pages({ organizationId, pageSize: 2 })) users.push(count(page.data))
  const documents: number[] = []
  for await (const page of client.documents.getDocuments.pages({ organizationId, pageSize: 2 })) {
    documents.push(count(page.data))
  }
  const endpoints: number[] = []
  for await (const { data } of client.webhooks.getEndpoints.pages({ limit: 2 })) endpoints.push(data.endpoints.length)
  expect({ users, documents, endpoints }).toEqual({ users: [2, 2, 1], documents: [2, 2, 1], endpoints: [2, 2, 1] })
})

test('pages begin at a given token, and a loop that is left asks for no more', async () => {
  const organizationId = 'resumed'
  await client.users.addUsers({ organizationId, users: ['a', 'b', 'c'].map((userId) => ({ userId })) })
  const { nextPageToken } = await client.users.getUsers({ organizationId, pageSize: 1 })
  for await (const { data } of client.users.getUsers.pages({
    organizationId,
    pageSize: 1,
    pageToken: `${nextPageToken}`,
  })) {
    expect(data).toEqual([expect.objectContaining({ userId: 'b' })])
    break
  }
})

test.each(['nextPageToken', 'pageToken', 'iterator'] as const)(
  'a page that names itself as the next one by its %s ends the loop',
  async (key) => {
    const answers: object[] = []
    const call = async (data: object) => {
      answers.push(data)
      return key === 'iterator' ? { data: { iterator: 'again' } } : { data: {}, [key]: 'again' }
    }
    const field = key === 'iterator' ? 'iterator' : 'pageToken'
    const read = async (from: object) => {
      for await (const _ of pages(key, call, from));
    }
    await expect(read({})).rejects.toThrow(`The answer names its own ${field} as that of the next page.`)
    expect(answers).toEqual([{}, { [field]: 'again' }])
    await expect(read({ [field]: 'again' })).rejects.toThrow(field)
    expect(answers).toHaveLength(3)
  },
)

test('pages of workspaces, and of operations whose parameters are all optional', async () => {
  for await (const { data } of client.workspaces.getApiKeys.pages()) expect(Object.keys(data)).toHaveLength(1)
  await expect(client.organizations.getOrganizations.pages({ pageSize: 0 }).next()).rejects.toThrow('pageSize')
})

test('every operation that takes a page token has pages', async () => {
  const document = JSON.parse(await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))
  const paths = Object.entries<{ post: { requestBody: unknown } }>(document.paths)
  const paged = paths.filter(([, { post }]) => /"(pageToken|iterator)":/.test(JSON.stringify(post?.requestBody ?? '')))
  const pagedPaths = new Set(paged.map(([path]) => path))
  const areas = Object.entries<Record<string, { path: string }>>(OPERATIONS)
  const expected = areas.flatMap(([area, operations]) =>
    Object.entries(operations).flatMap(([name, { path }]) => (pagedPaths.has(path) ? [`${area}.${name}`] : [])),
  )
  const withPages = Object.entries<Record<string, object>>({ ...client }).flatMap(([area, operations]) =>
    Object.entries(operations).flatMap(([name, call]) => ('pages' in call ? [`${area}.${name}`] : [])),
  )
  expect(expected).toContain('comments.getCommentAnnotations')
  expect(withPages).toEqual(expected)
})

const count = (data: unknown[] | Record<string, unknown>) => Object.keys(data).length
