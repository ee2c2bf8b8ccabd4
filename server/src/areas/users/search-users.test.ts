import { beforeAll, expect, test } from 'vitest'
import { rowsInVain } from '../../../test/measuring/explained.ts'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import { findByText } from '../../platform/db/find-by-text.ts'

const SEARCH = '/v2/users/search'

let service: Service
let workspace: TestWorkspace

beforeAll(async () => {
  service = await startService()
  workspace = await newWorkspace(service)
  const users = [
    { userId: 'u-1', name: 'Anna Berg', email: 'first@example.com' },
    { userId: 'u-2', name: 'ANNA Adler', email: 'second@example.com' },
    { userId: 'u-3', name: 'Zoe', email: 'anna@example.com' },
    { userId: 'Anna' },
    { userId: 'u-5', name: '100% _sure_', email: 'fifth@example.com' },
    { userId: 'u-6', name: 'Max', email: 'Max@Example.com' },
  ]
  await workspace.ok('/v2/users/add', { organizationId: 'acme', users })
  await workspace.ok('/v2/users/add', { organizationId: 'other', users: users.slice(0, 1) })
})

const search = async (query: string, more: object = {}) => (await workspace.ok(SEARCH, { query, ...more })).data
const ids = async (query: string, more: object = {}) => (await search(query, more)).map(({ userId }) => userId)

test('people are found by the beginning of their name, then of their address, in any case', async () => {
  expect(await ids('anna')).toEqual(['Anna', 'u-2', 'u-1', 'u-3'])
  expect(await ids('Anna B')).toEqual(['u-1'])
  expect(await ids('max@')).toEqual(['u-6'])
  expect(await ids('berg')).toEqual([])
  expect(await search('u-1')).toEqual([
    { userId: 'u-1', name: 'Anna Berg', email: 'first@example.com', organizationIds: expect.any(Array) },
  ])
  expect((await search('u-1'))[0]?.organizationIds.toSorted()).toEqual(['acme', 'other'])
})

test('contains finds a part of name, address or id; no character is a wildcard', async () => {
  expect(await ids('BERG', { match: 'contains' })).toEqual(['u-1'])
  expect((await ids('u-', { match: 'contains' })).toSorted()).toEqual(['u-1', 'u-2', 'u-3', 'u-5', 'u-6'])
  expect(await ids('% _s', { match: 'contains' })).toEqual(['u-5'])
  expect(await ids('100%')).toEqual(['u-5'])
  expect(await ids('_')).toEqual([])
})

test('a long beginning is compared whole', async () => {
  const { ok } = await newWorkspace(service)
  const team = 'Quality assurance of the international purchasing department, Berlin: '
  const users = ['Ärger', 'Berg'].map((name) => ({ userId: name, name: team + name }))
  await ok('/v2/users/add', { organizationId: 'acme', users })
  const found = async (query: string) => (await ok(SEARCH, { query })).data.map(({ userId }) => userId)
  expect(await found(`${team}är`.normalize('NFD'))).toEqual(['Ärger'])
  expect(await found(`${team}C`)).toEqual([])
  expect(await found(team)).toHaveLength(2)
})

test('an accent is found in its letter and after it, whichever way the query writes it', async () => {
  const users = ['Zoé Ångström', 'Zoé Ärger'.normalize('NFD')].map((name, i) => ({ userId: `é-${i}`, name }))
  const { ok } = await newWorkspace(service)
  await ok('/v2/users/add', { organizationId: 'acme', users })
  const names = async (query: string, more: object) =>
    (await ok(SEARCH, { query, ...more })).data.map(({ name }) => name.normalize('NFC'))
  for (const form of ['NFC', 'NFD']) {
    for (const match of ['prefix', 'contains']) {
      expect((await names('ZOÉ'.normalize(form), { match })).toSorted()).toEqual(['Zoé Ärger', 'Zoé Ångström'])
    }
    expect(await names('ärg'.normalize(form), { match: 'contains' })).toEqual(['Zoé Ärger'])
    const first = await ok(SEARCH, { query: 'zoé'.normalize(form), pageSize: 1 })
    const second = await ok(SEARCH, { query: 'zoé'.normalize(form), pageSize: 1, pageToken: first.nextPageToken })
    expect([...first.data, ...second.data].map(({ userId }) => userId).toSorted()).toEqual(['é-0', 'é-1'])
    expect(second.nextPageToken).toBeNull()
  }
})

test('pages lose and repeat nobody', async () => {
  for (const match of ['prefix', 'contains']) {
    const paged: string[] = []
    let pageToken: string | null | undefined
    do {
      const page = await workspace.ok(SEARCH, { query: 'anna', match, pageSize: 1, ...(pageToken && { pageToken }) })
      paged.push(...page.data.map(({ userId }) => userId))
      pageToken = page.nextPageToken
    } while (pageToken)
    expect(paged).toEqual(await ids('anna', { match }))
  }
})

test('people of another API key are not found', async () => {
  const other = await newWorkspace(service)
  expect((await other.ok(SEARCH, { query: 'anna' })).data).toEqual([])
  expect((await other.ok(SEARCH, { query: 'anna', match: 'contains' })).data).toEqual([])
})

test('a long query finds a long name; every text is taken as it is', async () => {
  const name = 'é'.repeat(300)
  await workspace.ok('/v2/users/add', { organizationId: 'acme', users: [{ userId: 'long', name }] })
  expect(await ids(name.slice(0, 256))).toEqual(['long'])
  expect((await workspace.call(SEARCH, { query: '' })).status).toBe(400)
})

test('an index finds the beginning among many', async () => {
  await service.database.query(sql`
    insert into app_user (api_key, key, id, name, email)
    select ${workspace.apiKey}, md5(n::text)::uuid, 'crowd-' || n, 'Crowd ' || n, 'crowd' || n || '@example.com'
    from generate_series(1, 2000) n`)
  const texts = [sql`coalesce(t.name, t.id)`, sql`t.email`]
  const { apiKey } = workspace
  const about = {
    table: sql`app_user t`,
    apiKey,
    texts,
    query: 'max',
    match: 'prefix',
    after: undefined,
    limit: 20,
  } as const
  expect(await rowsInVain(service.database, (db) => findByText(db, about))).toBeLessThan(10)
})
