import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { askConsole, byHttps, cookieOf, endMinuteOfRefusals, forgetAttempts, signedIn } from '../../../test/console.ts'
import { newWorkspace, type Service, startConfigured, startService } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import { createOperatorLink, hashOfToken } from './access/link.ts'

let service: Service
/** Behind a proxy with https, so that each test can come from an address of its own. */
let proxied: Service

beforeAll(async () => {
  service = await startService()
  proxied = await startConfigured({ TRUST_PROXY: '127.0.0.1' })
  return () => proxied.app.http.close()
})
beforeEach(() => forgetAttempts(service))

const PASSWORD = 'correct horse battery'

const signIn = (data: unknown, headers: Record<string, string> = {}) =>
  askConsole(service, 'session/sign-in', data, headers)

/** Signs in through the proxy, from an address. */
const signInFrom = (address: string, data: unknown) => askConsole(proxied, 'session/sign-in', data, byHttps(address))

/** Opens a session by a link and returns its stored hash. */
async function signInByLink(email: string): Promise<string> {
  const cookie = cookieOf(await signIn({ token: await createOperatorLink(service.database, email) }))
  return hashOfToken(cookie.slice(cookie.indexOf('=') + 1))
}

async function withPassword(email: string, password = PASSWORD): Promise<void> {
  const answer = await signIn({ token: await createOperatorLink(service.database, email) })
  const set = await askConsole(service, 'session/set-password', { password }, { cookie: cookieOf(answer) })
  expect(set.status).toBe(200)
}

describe('a password', () => {
  test('signs in, whatever the case of the address; another one, or an unknown address, does not', async () => {
    await withPassword('ada@example.com')
    const right = await signIn({ email: 'ADA@example.com', password: PASSWORD })
    expect(right.body.result.data).toMatchObject({ operator: { email: 'ada@example.com', role: 'operator' } })
    expect((await askConsole(service, 'session/get', {}, { cookie: cookieOf(right) })).status).toBe(200)
    const wrong = await signIn({ email: 'ada@example.com', password: `${PASSWORD}.` })
    const unknown = await signIn({ email: 'nobody@example.com', password: PASSWORD })
    // Nothing tells which of the two it was.
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    expect(wrong.body).toEqual(unknown.body)
    expect(wrong.headers.get('set-cookie')).toBeNull()
  })

  test('signs in where the other ways are null, which stands for what is not sent', async () => {
    await withPassword('nulls@example.com')
    const others = { token: null, answer: null, operatorToken: null, workspaceId: null, authToken: null }
    expect((await signIn({ ...others, email: 'nulls@example.com', password: PASSWORD })).status).toBe(200)
  })

  test('that was never set does not sign in, not even an empty one', async () => {
    await createOperatorLink(service.database, 'unset@example.com')
    expect((await signIn({ email: 'unset@example.com', password: '' })).status).toBe(401)
  })
})

// The embedded database runs one transaction after the other.
describe.runIf(process.env.TEST_DATABASE === 'postgres')('a sign-in by password', () => {
  test.each([
    ['the operator is being removed', sql`delete from operator where email = 'leaving@example.com'`],
    [
      'the password is being changed',
      sql`update operator set password = password || 'x' where email = 'leaving@example.com'`,
    ],
  ])('waits while %s, and is refused', async (_, change) => {
    await withPassword('leaving@example.com')
    let commit = () => {}
    const held = new Promise<void>((resolve) => {
      commit = resolve
    })
    const changing = service.database.transaction(async (db) => {
      await db.query(change)
      await held
    })
    const answer = signIn({ email: 'leaving@example.com', password: PASSWORD })
    await delay(1_000)
    commit()
    await changing
    expect((await answer).status).toBe(401)
  })
})

describe('guesses', { timeout: 60_000 }, () => {
  const records = (address: string) =>
    service.database.query<{ actor: string; detail: object }>(sql`
      select actor, detail from audit_record where address = ${address} order by seq`)

  test('are limited by address; the first of a minute is recorded at once, and then how many they were', async () => {
    const from = '203.0.113.9'
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) statuses.push((await signInFrom(from, { token: `guess-${i}` })).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
    const details = async () => (await records(from)).map(({ detail }) => detail)
    const first = { by: 'link', refused: true, attempts: 1 }
    expect(await details()).toEqual([first])
    await proxied.drainJobs()
    expect(await details()).toEqual([first])
    await endMinuteOfRefusals(proxied)
    const sum = { by: 'link', refused: true, attempts: 10, since: expect.any(Number) }
    expect(await details()).toEqual([first, sum])
    await endMinuteOfRefusals(proxied)
    expect(await details()).toEqual([first, sum])
  })

  test('from more than 100 networks at a time are counted together, so that a flood adds few records', async () => {
    await service.database.query(sql`
      insert into refused_sign_in (network, address, actor, proof)
      select 'network ' || n, '', '', '' from generate_series(1, 100) n`)
    for (let i = 1; i <= 3; i++) await signInFrom(`192.0.2.${i}`, { token: `guess-${i}` })
    expect([(await records('192.0.2.1')).length, (await records('192.0.2.3')).length]).toEqual([1, 0])
    await endMinuteOfRefusals(proxied)
    const sum = { by: 'link', refused: true, attempts: 3, since: expect.any(Number) }
    expect(await records('others')).toEqual([{ actor: '', detail: sum }])
  })

  test('are limited by account too, from however many addresses they come; then even a right one must wait', async () => {
    const { id, authToken } = await newWorkspace(service)
    const statuses: number[] = []
    for (let i = 1; i <= 11; i++) {
      const guess = { workspaceId: i % 2 === 0 ? id : id.toUpperCase(), authToken: `guess-${i}` }
      statuses.push((await signInFrom(`198.51.100.${i}`, guess)).status)
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    const right = await signInFrom('198.51.100.99', { workspaceId: id, authToken })
    expect(right.status).toBe(429)
    expect(right.headers.get('retry-after')).toMatch(/^\d+$/)
  })

  test('of a password are recorded with the address that was tried, never with the password', async () => {
    const from = '203.0.113.12'
    const guess = { email: 'Guessed@example.com', password: 'a wrong password' }
    expect((await signInFrom(from, guess)).status).toBe(401)
    expect(await records(from)).toEqual([
      { actor: 'guessed@example.com', detail: { by: 'password', refused: true, attempts: 1 } },
    ])
  })

  test('that would prove two things at once are not tried, so that the limit of neither is passed by', async () => {
    const guess = { email: 'somebody@example.com', workspaceId: 'ws_1', authToken: 'a guess' }
    expect((await signInFrom('203.0.113.13', guess)).status).toBe(400)
  })

  test('are recorded where the address is cut in the middle of a character', async () => {
    const from = '203.0.113.14'
    const guess = { email: `${'a'.repeat(319)}😀`, password: 'a wrong password' }
    expect((await signInFrom(from, guess)).status).toBe(401)
    expect(await records(from)).toHaveLength(1)
  })
})

describe('a link', () => {
  test('works once: replayed, it is refused', async () => {
    const token = await createOperatorLink(service.database, 'once@example.com')
    expect((await signIn({ token })).status).toBe(200)
    expect((await signIn({ token })).status).toBe(401)
  })

  test('works once even if it is used at the same time', async () => {
    const token = await createOperatorLink(service.database, 'twice@example.com')
    const answers = await Promise.all([signIn({ token }), signIn({ token }), signIn({ token })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  })

  test('is refused after its time, and once another was made', async () => {
    const replaced = await createOperatorLink(service.database, 'late@example.com')
    const late = await createOperatorLink(service.database, 'late@example.com')
    expect((await signIn({ token: replaced })).status).toBe(401)
    await service.database.query(sql`update operator_link set expires_at = now_ms()`)
    expect((await signIn({ token: late })).body.error.message).toContain('expired')
  })
})

describe('a session', () => {
  test('that was planted before the sign-in is not taken over', async () => {
    const token = await createOperatorLink(service.database, 'fixed@example.com')
    const planted = `precedent_session_${new URL(service.url).port}=${'a'.repeat(43)}`
    const answer = await signIn({ token }, { cookie: planted })
    expect(cookieOf(answer)).not.toBe(planted)
    expect((await askConsole(service, 'session/get', {}, { cookie: planted })).status).toBe(401)
  })

  test('of before is not taken over by a sign-in but ends: the victim gets a session of their own', async () => {
    const thief = await signedIn(service, 'viewer')
    const token = await createOperatorLink(service.database, 'victim@example.com')
    const victim = cookieOf(await signIn({ token }, { cookie: thief.cookie }))
    expect(victim).not.toBe(thief.cookie)
    expect((await askConsole(service, 'session/get', {}, { cookie: victim })).body.result.data).toMatchObject({
      operator: { email: 'victim@example.com' },
    })
    expect((await thief.ask('session/get')).status).toBe(401)
  })

  test('that was stolen is worth nothing after the sign-out', async () => {
    const { ask } = await signedIn(service, 'operator')
    const out = await ask('session/sign-out')
    expect(out.headers.get('set-cookie')).toMatch(/^precedent_session_\d+=; Max-Age=0; /)
    expect((await ask('session/get')).status).toBe(401)
  })

  test('ends at once when an operator ends it, changes the role or removes its owner', async () => {
    const { ask: operate } = await signedIn(service, 'operator')
    const { ask, email } = await signedIn(service, 'viewer')
    const [row] = await service.database.query<{ id: string }>(sql`select id from operator where email = ${email}`)
    const id = row?.id
    expect((await operate('operators/update', { id, role: 'reviewer' })).status).toBe(200)
    expect((await ask('session/get')).body.result.data).toMatchObject({ operator: { role: 'reviewer' } })
    expect((await operate('operators/update', { id, endSessions: true })).status).toBe(200)
    expect((await ask('session/get')).status).toBe(401)
    const token = await createOperatorLink(service.database, email)
    const cookie = cookieOf(await signIn({ token }))
    expect((await operate('operators/remove', { id })).status).toBe(200)
    expect((await askConsole(service, 'session/get', {}, { cookie })).status).toBe(401)
  })

  test('ends after 12 idle hours', async () => {
    const { ask, hash } = await signedIn(service, 'viewer')
    await service.database.query(sql`
      update operator_session set seen_at = now_ms() - ${12 * 3_600_000 + 1} where hash = ${hash}`)
    expect((await ask('session/get')).status).toBe(401)
  })

  test('that has ended does not count as open', async () => {
    const email = 'away@example.com'
    const [idle, old] = [await signInByLink(email), await signInByLink(email)]
    const { ask } = await signedIn(service, 'operator')
    const openOnes = async () => {
      const listed = (await ask('operators/list')).body.result.data as { email: string; sessions: number }[]
      return listed.find((each) => each.email === email)?.sessions
    }
    expect(await openOnes()).toBe(2)
    await service.database.query(sql`
      update operator_session set seen_at = now_ms() - ${12 * 3_600_000 + 1} where hash = ${idle}`)
    await service.database.query(sql`
      update operator_session set door = 'oidc', created_at = now_ms() - ${24 * 3_600_000 + 1} where hash = ${old}`)
    expect(await openOnes()).toBe(0)
  })

  test('is stored as a hash only', async () => {
    const { cookie } = await signedIn(service, 'viewer')
    const [, token = ''] = cookie.split('=')
    const rows = await service.database.query(sql`select * from operator_session`)
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})
