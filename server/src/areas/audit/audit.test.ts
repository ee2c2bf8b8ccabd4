import { hash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { auditRecords } from '../../../test/administrative-calls.ts'
import { signedIn } from '../../../test/console.ts'
import { newWorkspace, type Service, startAlone, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import { type AuditRecord, appendAudit } from './audit.ts'
import { verifyChains } from './verify.ts'

let service: Service
let workspace: TestWorkspace
let other: TestWorkspace

beforeAll(async () => {
  // The chains of a database of its own: the tests break them.
  service = await startAlone()
  workspace = await newWorkspace(service)
  other = await newWorkspace(service)
  await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      [workspace, other][i % 2]?.ok('/v2/workspace/domains/add', { domains: [`d${i}.example.com`] }),
    ),
  )
})

const list = (of?: { workspaceId?: string; actor?: string }) => auditRecords(service.database, of)

describe('the chains', () => {
  test('one per workspace and one of the installation, each without gaps, also when many write at once', async () => {
    await signedIn(service, 'operator')
    for (const { id } of [workspace, other]) {
      const positions = (await list({ workspaceId: id })).map(({ position }) => position).reverse()
      expect(positions).toEqual([1, 2, 3, 4, 5, 6, 7])
    }
    const verdict = await verifyChains(service.database, null)
    expect(verdict).toMatchObject({ valid: true, records: (await list()).length, chains: 3, brokenAt: null })
    const [last] = await list({ workspaceId: workspace.id })
    expect(await verifyChains(service.database, workspace.id)).toMatchObject({
      records: 7,
      chains: 1,
      head: last?.hash,
    })
  })

  test('a record that was changed, removed, put in or moved is found', async () => {
    const [, , third] = (await list({ workspaceId: other.id })).reverse()
    const seq = third?.seq ?? 0
    const attempts = [
      sql`update audit_record set detail = '{}' where seq = ${seq}`,
      sql`update audit_record set actor = 'somebody else' where seq = ${seq}`,
      sql`update audit_record set after = '{"domains": {}}' where seq = ${seq}`,
      sql`update audit_record set at = at + 1 where seq = ${seq}`,
      sql`update audit_record set request_id = 'req_other' where seq = ${seq}`,
      sql`update audit_record set chain = ${workspace.id}, position = 100 where seq = ${seq}`,
      sql`delete from audit_record where seq = ${seq}`,
      sql`
        insert into audit_record (
          seq, chain, position, at, actor, role, door, address, action, detail, previous, hash)
        values (-1, ${other.id}, 0, 0, '', '', '', '', '', '{}', '', '')`,
    ]
    for (const attempt of attempts) {
      const found = service.database.transaction(async (db) => {
        await db.query(attempt)
        const { valid, brokenAt } = await verifyChains(db, null)
        throw Object.assign(new Error('rolled back'), { valid, isNamed: typeof brokenAt === 'number' })
      })
      await expect(found).rejects.toMatchObject({ valid: false, isNamed: true })
    }
    expect(await verifyChains(service.database, null)).toMatchObject({ valid: true })
  })

  test('records of an earlier version verify, and the chain of the installation goes on from them', async () => {
    const old = await startAlone()
    const text =
      '\n{"action":"/console/api/session/sign-in","actor":"ada@example.com","address":"127.0.0.1","apiKey":null,' +
      '"at":1700000000000,"detail":{"by":"link"},"door":"console","role":"operator","seq":1,"workspaceId":null}'
    // As the version before wrote it.
    await old.database.query(sql`
      insert into audit_record (
        seq, at, actor, role, door, address, action, workspace_id, about_key, detail, previous, hash)
      values (1, 1700000000000, 'ada@example.com', 'operator', 'console', '127.0.0.1', '/console/api/session/sign-in',
        null, null, '{"by": "link"}', '', ${hash('sha256', text, 'hex')})`)
    const draft = { actor: 'x', role: '', door: 'api', address: '', action: '/x', workspaceId: null, apiKey: null }
    await old.database.query(sql`select setval('audit_record_seq', 2, false)`)
    await old.database.transaction((db) => appendAudit(db, { ...draft, detail: {} }))
    expect(await verifyChains(old.database, null)).toMatchObject({ valid: true, records: 2, chains: 1 })
    await old.app.http.close()
  })
})

describe('listing and export', () => {
  test('filters by who, what, workspace, key and time', async () => {
    const { ask, email } = await signedIn(service, 'operator')
    const found = async (filters: object) =>
      (await ask('audit/list', { filters, pageSize: 500 })).body.result.data as AuditRecord[]
    const actions = async (filters: object) => [...new Set((await found(filters)).map(({ action }) => action))].sort()
    expect(await actions({ actor: email.toUpperCase() })).toEqual(['/console/api/session/sign-in'])
    expect(await actions({ actor: workspace.apiKey })).toEqual(['/v2/workspace/domains/add'])
    expect(await actions({ workspaceId: workspace.id })).toEqual(['/v2/workspace/create', '/v2/workspace/domains/add'])
    expect(await found({ apiKey: other.apiKey })).toHaveLength(6)
    expect(await found({ action: '/v2/workspace/create' })).toHaveLength(2)
    const [, second] = await found({})
    expect(await found({ from: second?.at, to: (second?.at ?? 0) + 1 })).toContainEqual(second)
    expect(await found({ to: 1 })).toEqual([])
  })

  test('who reaches one workspace lists and exports that workspace alone', async () => {
    const { ask } = await signedIn(service, 'admin', workspace.id)
    const listed = (await ask('audit/list', { filters: {} })).body.result.data as AuditRecord[]
    expect(new Set(listed.map(({ workspaceId }) => workspaceId))).toEqual(new Set([workspace.id]))
    const exported = String((await ask('audit/export', { format: 'ndjson' })).body)
    expect(exported).toContain(workspace.id)
    expect(exported).not.toContain(other.id)
    expect((await ask('audit/export', { format: 'csv', filters: { workspaceId: other.id } })).status).toBe(404)
    expect((await (await signedIn(service, 'viewer')).ask('audit/export', { format: 'csv' })).status).toBe(403)
  })

  test('a workspace reads, verifies and exports its own records with its token, and no others', async () => {
    const as = <Path extends string>(path: Path, data: object) => service.call(path, data, workspace.workspaceHeaders)
    const page = async (data: object) => (await as('/v2/workspace/audit/get', data)).body.result
    const mine = await list({ workspaceId: workspace.id })
    const first = await page({ pageSize: 4 })
    const second = await page({ pageSize: 500, pageToken: first.nextPageToken })
    expect(second.nextPageToken).toBeNull()
    expect([...first.data, ...second.data]).toEqual(mine)
    expect((await page({ filters: { apiKey: other.apiKey } })).data).toEqual([])
    const foreign = { pageSize: 4, pageToken: first.nextPageToken }
    expect((await service.call('/v2/workspace/audit/get', foreign, other.workspaceHeaders)).status).toBe(400)

    const verify = async (data: object) => (await as('/v2/workspace/audit/verify', data)).body.result.data
    const { records, head } = await verify({})
    expect({ records, head }).toEqual({ records: mine.length, head: mine[0]?.hash })
    await workspace.ok('/v2/workspace/domains/add', { domains: ['later.example.com'] })
    expect(await verify({ anchor: { records, head } })).toMatchObject({ valid: true, records: records + 1 })
    expect(await verify({ anchor: { records: records + 2, head } })).toMatchObject({ valid: false, brokenAt: null })
    expect(await verify({ anchor: { records: records - 1, head } })).toMatchObject({
      valid: false,
      records: records - 2,
    })

    const statuses: number[] = []
    for (let time = 5; time <= 21; time++) statuses.push((await as('/v2/workspace/audit/verify', {})).status)
    expect(statuses).toEqual([...Array(16).fill(200), 429])

    const exported = String((await as('/v2/workspace/audit/export', { format: 'csv' })).body)
    expect(exported).toContain(workspace.apiKey)
    expect(exported).not.toContain(other.apiKey)
  })

  test('ndjson holds the records as they are listed, and ends with their number; the export leaves a record', async () => {
    const { ask, email } = await signedIn(service, 'operator')
    const answer = await ask('audit/export', { format: 'ndjson', filters: { workspaceId: workspace.id } })
    expect(answer.headers.get('content-type')).toContain('application/x-ndjson')
    const lines = String(answer.body)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const listed = (await list({ workspaceId: workspace.id })).reverse()
    expect(lines).toEqual([...listed, { kind: 'end', records: listed.length }])
    const [last] = await list({ actor: email })
    expect(last).toMatchObject({ action: '/console/api/audit/export', detail: { format: 'ndjson' } })
  })

  test('csv is guarded: no cell runs as a formula', async () => {
    const draft = { role: '', door: 'api', address: '', workspaceId: null, apiKey: null, detail: {} }
    const formula = '=HYPERLINK("http://evil.example","x")'
    await service.database.transaction((db) => appendAudit(db, { ...draft, actor: formula, action: '@SUM(1)' }))
    const { ask } = await signedIn(service, 'operator')
    const text = String((await ask('audit/export', { format: 'csv', filters: { actor: formula } })).body)
    const [header, row, end] = text.split('\r\n')
    expect(header).toContain('"seq","chain","position","at","actor"')
    expect(row).toContain(`"'${formula.replaceAll('"', '""')}"`)
    expect(row).toContain(`"'@SUM(1)"`)
    expect(end).toBe('"end",1')
  })
})
