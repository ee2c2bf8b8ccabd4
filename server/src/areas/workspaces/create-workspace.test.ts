import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { newWorkspace, type Service, startService } from '../../../test/running-service.ts'
import { createApp } from '../../app.ts'
import type { Config } from '../../platform/config.ts'
import { sql } from '../../platform/db/db.ts'
import { parseSecretKeys } from '../../platform/secret.ts'

const CREATE = '/v2/workspace/create'
const service = await startService()
const newEmail = () => `jane.${randomUUID()}@example.com`
const create = (data: unknown, headers?: Record<string, string>) => service.call(CREATE, data, headers)

/** Calls a second service with other settings, on the same database. */
async function createAt(changes: Partial<Config>, data: unknown[], headers: Record<string, string> = {}) {
  const { config, log } = service.app.services
  const secretKeys = parseSecretKeys(`test:${Buffer.alloc(32, 7).toString('base64')}`)
  const app = createApp({ config: { ...config, ...changes }, database: service.database, secretKeys, log })
  const answers = []
  for (const each of data)
    answers.push(await app.http.inject({ method: 'POST', url: CREATE, headers, payload: { data: each } }))
  await app.http.close()
  return answers.map((answer) => ({ status: answer.statusCode, headers: answer.headers, ...answer.json() }))
}

/** An owner's first workspace with a production key, which allows the owner more of them. */
async function paidOwner(): Promise<string> {
  const ownerEmail = newEmail()
  const { body } = await create({ ownerEmail, workspaceName: 'First' })
  await setKeyType(body.result.data.id, 'production')
  return ownerEmail
}

const setKeyType = (workspaceId: string, type: string) =>
  service.database.query(sql`update api_key set type = ${type} where workspace_id = ${workspaceId}`)

const statuses = (answers: Awaited<ReturnType<Service['call']>>[]) =>
  answers.map(({ body }) => body.error?.status ?? 'success').sort()

describe('a created workspace', () => {
  test('answers id, name, owner, auth token and its API key list, keyed by API key', async () => {
    const ownerEmail = `jane.${randomUUID()}@example.com`
    const avatar = 'https://example.com/jane.png'
    const { status, body } = await create({ ownerEmail, name: 'Jane', workspaceName: 'Legal', avatar })
    expect(status).toBe(200)
    expect(body.result).toMatchObject({ status: 'success', message: 'Workspace created successfully' })
    const { data } = body.result
    const [apiKey = ''] = Object.keys(data.apiKeyList)
    expect(data.id).toMatch(/^ws_/)
    expect(apiKey).toMatch(/^[A-Za-z0-9]{20}$/)
    expect(data.authToken.length).toBeGreaterThanOrEqual(22)
    const owner = { email: ownerEmail, id: expect.stringMatching(/^[0-9a-f]{32}$/), name: 'Jane', avatar }
    const key = {
      apiKeyName: `J${ownerEmail.slice(1, -'@example.com'.length)} Test API Key`,
      id: apiKey,
      type: 'testing',
    }
    expect(data).toEqual({
      id: data.id,
      authToken: data.authToken,
      name: 'Legal',
      owner,
      apiKeyList: { [apiKey]: key },
    })
  })

  test('name defaults to the owner email, workspaceName to it followed by the word workspace, avatar to none', async () => {
    const ownerEmail = newEmail()
    const { data } = (await create({ ownerEmail })).body.result
    expect(data.name).toBe(`${ownerEmail} workspace`)
    expect(data.owner).toMatchObject({ name: ownerEmail, avatar: '' })
  })

  test('workspaceName defaults to the owner name followed by the word workspace', async () => {
    const { data } = (await create({ ownerEmail: newEmail(), name: 'Jane' })).body.result
    expect(data.name).toBe('Jane workspace')
  })

  test('its API key and default auth token work at once, and so does its own token', async () => {
    const workspace = await newWorkspace(service)
    expect((await workspace.call('/v2/workspace/domains/get')).status).toBe(200)
    const read = await service.call('/v2/workspace/get', {}, workspace.workspaceHeaders)
    expect(read.body.result.message).toBe('Workspace retrieved successfully')
    expect(read.body.result.data).toMatchObject({ id: workspace.id, authToken: workspace.authToken })
    const keys = { apiKey: workspace.apiKey }
    const tokens = await service.call('/v2/workspace/authtokens/get', keys, workspace.workspaceHeaders)
    expect(tokens.body.result.data.authTokens).toMatchObject([{ name: 'Default Auth Token' }])
  })
})

describe('limits', () => {
  test.each([
    ['ownerEmail is required', {}, 'ownerEmail'],
    ['ownerEmail must be an address', { ownerEmail: 'jane' }, 'ownerEmail'],
    ['ownerEmail must be a string', { ownerEmail: 5 }, 'ownerEmail'],
    ['name must not be empty', { name: '' }, 'name'],
    ['name must not be blanks only', { name: ' \t' }, 'name'],
    ['name has at most 200 characters', { name: 'x'.repeat(201) }, 'name'],
    ['workspaceName must not be empty', { workspaceName: '' }, 'workspaceName'],
    ['workspaceName must not be blanks only', { workspaceName: ' \t' }, 'workspaceName'],
    ['workspaceName has at most 200 characters', { workspaceName: 'x'.repeat(201) }, 'workspaceName'],
    ['avatar must be a URL', { avatar: 'jane.png' }, 'avatar'],
    ['avatar has at most 2000 characters', { avatar: `https://e.com/${'x'.repeat(1987)}` }, 'avatar'],
  ])('%s', async (_, data, field) => {
    const answer = await create(
      'ownerEmail' in data || field === 'ownerEmail' ? data : { ownerEmail: newEmail(), ...data },
    )
    expect(answer.status).toBe(400)
    expect(answer.body.error.status).toBe('INVALID_ARGUMENT')
    expect(answer.body.error.details.issues[0].path).toBe(field)
  })

  test('a name of 200 characters of four bytes and the longest address are accepted', async () => {
    const ownerEmail = `${'\u{1F600}'.repeat(300)}${randomUUID().slice(0, 8)}@example.com`
    const name = '\u{1F600}'.repeat(200)
    const avatar = `https://e.com/${'x'.repeat(1986)}`
    const answer = await create({ ownerEmail, name, avatar })
    expect(answer.body.result.data).toMatchObject({ name: `${name} workspace`, owner: { name, avatar } })
  })

  test('the rate limit counts per client address, holds before validation, and says when to come again', async () => {
    const bad = { ownerEmail: 5 }
    const [first, second, third] = await createAt({ rateLimitWorkspaceCreate: 2 }, [
      bad,
      bad,
      { ownerEmail: newEmail() },
    ])
    expect([first?.error.status, second?.error.status]).toEqual(['INVALID_ARGUMENT', 'INVALID_ARGUMENT'])
    expect(third).toMatchObject({ status: 429, error: { status: 'RESOURCE_EXHAUSTED', code: 429 } })
    expect(Number(third?.headers['retry-after'])).toBeGreaterThan(0)
    expect(third?.headers['ratelimit-limit']).toBe('2')
  })
})

describe('WORKSPACE_CREATE', () => {
  const operatorToken = 'an-operator-token-of-32-characters'
  const data = () => [{ ownerEmail: newEmail() }]
  const withToken = (token: string) =>
    createAt({ workspaceCreate: 'token', operatorToken }, data(), { authorization: `Bearer ${token}` })

  test('token: the operator token creates one, and without it the answer is PERMISSION_DENIED', async () => {
    expect((await withToken(operatorToken))[0]?.status).toBe(200)
    expect((await withToken('wrong'))[0]).toMatchObject({ status: 403, error: { status: 'PERMISSION_DENIED' } })
    const [none] = await createAt({ workspaceCreate: 'token', operatorToken }, data())
    expect(none).toMatchObject({ status: 403, error: { status: 'PERMISSION_DENIED' } })
  })

  test('off: PERMISSION_DENIED for everyone, before validation', async () => {
    const headers = { authorization: `Bearer ${operatorToken}` }
    const [answer, bad] = await createAt({ workspaceCreate: 'off', operatorToken }, [...data(), {}], headers)
    for (const each of [answer, bad])
      expect(each).toMatchObject({ status: 403, error: { status: 'PERMISSION_DENIED' } })
  })

  test('the rate limit holds before the token is looked at', async () => {
    const [, third] = await createAt({ workspaceCreate: 'token', operatorToken, rateLimitWorkspaceCreate: 1 }, [
      ...data(),
      ...data(),
    ])
    expect(third?.status).toBe(429)
  })
})

describe('disposable domains', () => {
  const domain = (answer: { error?: { message: string } } | undefined) => answer?.error?.message

  test.each(['mailinator.com', 'MAILINATOR.com', 'inbox.mailinator.com'])('%s is rejected', async (host) => {
    const { status, body } = await create({ ownerEmail: `jane@${host}` })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT', message: expect.stringMatching(/^ownerEmail /) })
  })

  test('validation comes first', async () => {
    const { body } = await create({ ownerEmail: 'jane@mailinator.com', name: '' })
    expect(body.error.details.issues).toMatchObject([{ path: 'name' }])
  })

  test('the operator adds domains and makes exceptions', async () => {
    const ownerEmail = `jane.${randomUUID()}@mailinator.com`
    const changes = { disposableDomains: ['throwaway.test'], disposableDomainsAllow: ['mailinator.com'] }
    const [refused, allowed] = await createAt(changes, [{ ownerEmail: 'j@a.throwaway.test' }, { ownerEmail }])
    expect(domain(refused)).toMatch(/^ownerEmail /)
    expect(allowed?.status).toBe(200)
  })

  test('they are judged before what the owner has', async () => {
    const ownerEmail = newEmail()
    await create({ ownerEmail })
    const [answer] = await createAt({ disposableDomains: ['example.com'] }, [{ ownerEmail }])
    expect(answer?.error.status).toBe('INVALID_ARGUMENT')
  })
})

describe('owners', () => {
  test('an additional workspace needs a production key: PERMISSION_DENIED, also for the same name', async () => {
    const ownerEmail = newEmail()
    await create({ ownerEmail })
    for (const data of [
      { ownerEmail, workspaceName: 'Second' },
      { ownerEmail },
      { ownerEmail: ownerEmail.toUpperCase() },
    ]) {
      const { status, body } = await create(data)
      expect(status).toBe(403)
      expect(body.error.status).toBe('PERMISSION_DENIED')
    }
  })

  test('the production key must be of the oldest workspace', async () => {
    const ownerEmail = newEmail()
    const first = (await create({ ownerEmail })).body.result.data.id
    await setKeyType(first, 'production')
    const second = (await create({ ownerEmail, workspaceName: 'Second' })).body.result.data.id
    await setKeyType(first, 'testing')
    await setKeyType(second, 'production')
    expect((await create({ ownerEmail, workspaceName: 'Third' })).body.error.status).toBe('PERMISSION_DENIED')
  })

  test('a production key made by apikey/create counts', async () => {
    const ownerEmail = newEmail()
    const { id, authToken } = (await create({ ownerEmail })).body.result.data
    const headers = { 'x-service-workspace-id': id, 'x-service-workspace-auth-token': authToken }
    await service.call('/v2/workspace/apikey/create', { ownerEmail, type: 'production' }, headers)
    expect((await create({ ownerEmail, workspaceName: 'Second' })).status).toBe(200)
  })

  test('a workspace of the same name: ALREADY_EXISTS', async () => {
    const ownerEmail = await paidOwner()
    const { status, body } = await create({ ownerEmail: ownerEmail.toUpperCase(), workspaceName: 'First' })
    expect(status).toBe(409)
    expect(body.error.status).toBe('ALREADY_EXISTS')
  })

  test('at most 5 workspaces: RESOURCE_EXHAUSTED, before the production key and the name are looked at', async () => {
    const ownerEmail = await paidOwner()
    for (const workspaceName of ['2', '3', '4', '5'])
      expect((await create({ ownerEmail, workspaceName })).status).toBe(200)
    await service.database.query(sql`
      update api_key set type = 'testing'
      where workspace_id in (select id from workspace where owner_email = ${ownerEmail})`)
    const { status, body } = await create({ ownerEmail, workspaceName: 'First' })
    expect(status).toBe(429)
    expect(body.error.status).toBe('RESOURCE_EXHAUSTED')
  })

  test('concurrent first creates for one email take turns: one succeeds', async () => {
    const ownerEmail = newEmail()
    const spellings = Array.from({ length: 8 }, (_, i) => (i % 2 ? ownerEmail : ownerEmail.toUpperCase()))
    const answers = await Promise.all(spellings.map((each, i) => create({ ownerEmail: each, workspaceName: `W${i}` })))
    expect(statuses(answers)).toEqual([...Array(7).fill('PERMISSION_DENIED'), 'success'])
  })

  test('concurrent creates of a paying owner stop at 5', async () => {
    const ownerEmail = await paidOwner()
    const names = Array.from({ length: 8 }, (_, i) => `W${i}`)
    const answers = await Promise.all(names.map((workspaceName) => create({ ownerEmail, workspaceName })))
    expect(statuses(answers)).toEqual([...Array(4).fill('RESOURCE_EXHAUSTED'), ...Array(4).fill('success')])
  })

  test('Idempotency-Key is ignored on the public create', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const [first, second] = [
      await create({ ownerEmail: newEmail() }, headers),
      await create({ ownerEmail: newEmail() }, headers),
    ]
    expect(second.status).toBe(200)
    expect(second.body.result.data.id).not.toBe(first.body.result.data.id)
  })
})
