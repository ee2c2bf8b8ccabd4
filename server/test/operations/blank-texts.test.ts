import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, startService, type TestWorkspace } from '../running-service.ts'

let ws: TestWorkspace
beforeAll(async () => {
  ws = await newWorkspace(await startService())
})

test.each([
  ['/v2/memory/search', 'query'],
  ['/v2/memory/suggest', 'query'],
  ['/v2/memory/ask', 'question'],
  ['/v2/memory/knowledge/search', 'query'],
  ['/v2/users/search', 'query'],
  ['/v2/organizations/search', 'query'],
])('%s takes a %s of blanks only for empty', async (path, field) => {
  for (const text of ['', ' ', ' \t\n\u00a0']) {
    const { status, body } = await ws.call(path, { [field]: text })
    expect(status).toBe(400)
    expect(body.error.message).toContain(`${field} must not be empty`)
  }
})

const place = { organizationId: 'acme', documentId: 'plan' }
const ada = { userId: 'ada', name: 'Ada' }

test.each([
  [
    '/v2/reactions/add',
    'reactions[0].icon',
    (icon: string) => ({ annotationId: 't', reactions: [{ icon, from: ada }] }),
  ],
  [
    '/v2/activities/add',
    'activities[0].actionType',
    (actionType: string) => ({ activities: [{ featureType: 'comment', actionType, actionUser: ada }] }),
  ],
  [
    '/v2/memory/knowledge/ingest',
    'file.fileName',
    (fileName: string) => ({
      source: 'inline',
      file: { base64: 'eA==', mimeType: 'text/csv', fileName, fileSize: 1 },
    }),
  ],
])('%s takes %s of blanks only for empty', async (path, field, make) => {
  const { status, body } = await ws.call(path, { ...place, ...make(' \t') })
  expect(status).toBe(400)
  expect(body.error.message).toContain(`${field} must not be empty`)
})

test('a text that ends in blanks is taken as it is', async () => {
  await ws.ok('/v2/memory/search', { query: ' plan ' })
})
