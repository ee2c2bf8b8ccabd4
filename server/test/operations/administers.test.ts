import { beforeAll, describe, expect, test } from 'vitest'
import { consoleRegistry, registry } from '../../src/operations.ts'
import { listOperations } from '../../src/platform/operation.ts'
import { administrativeCalls, auditRecords } from '../administrative-calls.ts'
import { startReceiver } from '../receiver.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../running-service.ts'

/** Operations that write without administering, by the reason why they leave no audit record. */
const everyday: Record<string, string> = {
  'People work with content. Events and the activity log tell of it.': `
    /v2/commentannotations/add /v2/commentannotations/update /v2/commentannotations/delete
    /v2/commentannotations/comments/add /v2/commentannotations/comments/update /v2/commentannotations/comments/delete
    /v2/reactions/add /v2/reactions/delete /v2/recordings/add /v2/recordings/update /v2/recordings/delete
    /v2/notifications/add /v2/notifications/update /v2/notifications/delete /v2/notifications/config/set
    /v2/activities/add /v2/activities/update`,
  'The product adds its people and places, and keeps them up to date.': `
    /v2/organizations/add /v2/organizations/update /v2/organizations/folders/add /v2/organizations/folders/update
    /v2/organizations/documents/add /v2/organizations/documents/update /v2/organizations/documents/move
    /v1/organizations/documents/locations/update /v2/organizations/usergroups/add /v2/organizations/usergroups/update
    /v2/organizations/usergroups/users/add /v2/organizations/usergroups/users/delete
    /v1/users/add /v1/users/update /v2/users/add /v2/users/update`,
  'The product gives and takes rights while people share. Permission events tell of it.': `
    /v2/auth/permissions/add /v2/auth/permissions/remove`,
  'Each visit of an end user gets a token.': '/v2/auth/generate_token /v2/auth/token/get',
  'The memory learns and is asked.': `
    /v2/memory/judgments/add /v2/memory/evaluate /v2/memory/alerts/action /v2/memory/alerts/dismiss
    /v2/memory/knowledge/upload-url`,
  'They write their records themselves, because only they know who came.': `
    /console/api/session/sign-in /console/api/session/refused /console/api/session/settle-refusals`,
}

const every = [...listOperations(registry), ...listOperations(consoleRegistry)].map(({ declaration }) => declaration)
const pathsOf = (declarations: typeof every) => declarations.map(({ path }) => path).toSorted()
const ofTheApi = listOperations(registry).filter(({ declaration }) => declaration.administers)

let service: Service
let ws: TestWorkspace

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  const inAcme = { organizationId: 'acme' }
  await ws.ok('/v2/users/add', { ...inAcme, users: [{ userId: 'ada', name: 'Ada', email: 'ada@example.com' }] })
  await ws.ok('/v2/organizations/documents/add', { ...inAcme, documents: [{ documentId: 'd' }, { documentId: 'e' }] })
  await ws.ok('/v2/organizations/folders/add', { ...inAcme, folders: [{ folderId: 'f' }] })
})

describe('every operation that writes', () => {
  test('administers, or is listed here with the reason why it does not', () => {
    const listed = Object.values(everyday).flatMap((paths) => paths.trim().split(/\s+/))
    const writing = every.filter(({ access, administers }) => access === 'write' && !administers)
    expect(pathsOf(writing)).toEqual(listed.toSorted())
  })

  test('administers where it changes the workspace, and so does every export', () => {
    const must = every.filter(
      ({ path, access }) => (path.startsWith('/v2/workspace/') && access === 'write') || /\/export$/.test(path),
    )
    expect(must.length).toBeGreaterThan(20)
    expect(pathsOf(must.filter(({ administers }) => !administers))).toEqual([])
  })
})

describe('every operation of the API that administers', () => {
  test('leaves exactly one record, and other operations leave none', { timeout: 120_000 }, async () => {
    const calls = administrativeCalls(service, ws, `${(await startReceiver()).url}/hooks`)
    expect(Object.keys(calls).toSorted()).toEqual(ofTheApi.map(({ declaration }) => declaration.path).toSorted())
    const ofWorkspace = await auditRecords(service.database, { workspaceId: ws.id })
    expect(ofWorkspace.map(({ action }) => action)).toEqual(['/v2/workspace/create'])
    let [last] = await auditRecords(service.database)
    for (const [path, call] of Object.entries(calls)) {
      const { status, body } = await call()
      expect(status, `${path} ${JSON.stringify(body)}`).toBeLessThan(300)
      const fresh = await auditRecords(service.database, { after: last?.seq ?? 0 })
      expect([path, fresh.map(({ action }) => action)]).toEqual([path, [path]])
      ;[last] = fresh
    }
  })
})
