import Compile from 'typebox/compile'
import { beforeAll, describe, expect, test } from 'vitest'
import { addExample } from '../../src/example/fill-example.ts'
import { registry } from '../../src/operations.ts'
import { listOperations, type NamedOperation } from '../../src/platform/operation.ts'
import { newWorkspace, type Service, startAlone, type TestWorkspace } from '../running-service.ts'
import { inTurn } from './in-turn.ts'
import { newExample } from './new-example.ts'

const operations = listOperations(registry)
const exampleOf = ({ declaration }: NamedOperation) => declaration.example

let service: Service
let ws: TestWorkspace
/** An API key that calls of the workspace may disable and delete. */
let otherKey: string

beforeAll(async () => {
  service = await startAlone()
  ws = await newExample(service)
  await service.drainJobs()
  const made = await callWith(ws.workspaceHeaders, '/v2/workspace/apikey/create', {
    ownerEmail: 'ada@example.com',
    type: 'testing',
  })
  otherKey = made.data.apiKey ?? ''
})

/** Calls, expects success, and returns `result`. */
async function callWith(headers: Record<string, string>, path: string, data: unknown) {
  const { status, body } = await service.call(path, data, headers)
  expect(body, path).toMatchObject({ result: {} })
  expect(status).toBeLessThan(300)
  return (body as { result: { data: Record<string, string> } }).result
}

/** What the service gives, by the text that stands for it in examples. */
const GIVEN: Record<string, (operation: NamedOperation) => Promise<string | undefined>> = {
  aBcDeFgHiJkLmNoPqRsT: async ({ declaration }) => (declaration.auth === 'workspace' ? otherKey : ws.apiKey),
  'the auth token of the API key': async () => ws.keyHeaders['x-service-auth-token'],
  ep_0123456789abcdef01234567: async () =>
    (await ws.ok('/v2/workspace/advancedwebhook/endpoints/get')).data.endpoints[0]?.id,
  dlv_the_id_of_a_delivery: async () => (await ws.ok('/v2/workspace/advancedwebhook/deliveries/list')).data[0]?.id,
  'the sourceId of the file': async () => (await ws.ok('/v2/memory/knowledge/list'))[0]?.id,
  'the jobId of the deletion': async () => (await ws.ok('/v2/users/data/delete', { userIds: ['nobody'] })).data.jobId,
  'the migrationId of the migration': async () =>
    (
      await ws.ok('/v2/organizations/documents/migrate', {
        organizationId: 'example',
        documentId: 'poster',
        newDocumentId: 'spring-poster',
      })
    ).data.migrationId,
}

async function filled(operation: NamedOperation): Promise<unknown> {
  let text = JSON.stringify(exampleOf(operation))
  for (const [name, given] of Object.entries(GIVEN)) {
    if (text.includes(`"${name}"`)) text = text.replaceAll(`"${name}"`, JSON.stringify((await given(operation)) ?? ''))
  }
  return JSON.parse(text)
}

/** The examples that this service refuses, and why. */
const REFUSED: Record<string, string> = {
  '/v2/memory/alerts/action': 'NOT_FOUND: no alert was raised',
  '/v2/memory/alerts/dismiss': 'NOT_FOUND: no alert was raised',
}

describe('the example of an operation', () => {
  test.each(operations.map((operation) => [operation.declaration.path, operation] as const))(
    'is there, and one that the operation takes: %s',
    (_, operation) => {
      const { input, check } = operation.declaration
      expect(exampleOf(operation)).toBeDefined()
      expect([...Compile(input).Errors(exampleOf(operation))]).toEqual([])
      expect(check?.(exampleOf(operation) as never) ?? []).toEqual([])
    },
  )

  test('works without any other before it where it may make the document', async () => {
    const other = await newWorkspace(service)
    await addExample(service.app, { workspaceId: other.id, apiKey: other.apiKey })
    await other.ok('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } })
    const making = operations.filter(({ declaration }) => 'createDocument' in declaration.input.properties)
    expect(making.length).toBeGreaterThan(3)
    for (const { declaration } of making) {
      await other.ok('/v2/organizations/documents/delete', { organizationId: 'example', documentIds: ['landing-page'] })
      await callWith(other.keyHeaders, declaration.path, declaration.example)
    }
  })

  test.each(
    inTurn(operations, Object.keys(GIVEN)).map((operation) => [operation.declaration.path, operation] as const),
  )('works on the example of a first start: %s', async (path, operation) => {
    const { auth } = operation.declaration
    const headers = { apiKey: ws.keyHeaders, workspace: ws.workspaceHeaders, none: {} }[auth]
    const { status, body } = await service.call(path, await filled(operation), headers)
    const text = JSON.stringify(body) ?? ''
    const refusal = REFUSED[path]?.split(':')[0]
    if (refusal !== undefined) return expect(body).toMatchObject({ error: { status: refusal } })
    expect(text).not.toMatch(/^\{"error"|"success":false/)
    expect(status).toBeLessThan(300)
    // Workers make what later examples ask for.
    if (operation.declaration.access === 'write') await service.drainJobs()
  })
})
