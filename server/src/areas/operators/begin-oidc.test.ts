import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { askConsole, forgetAttempts } from '../../../test/console.ts'
import { browser } from '../../../test/console-browser.ts'
import { startIssuer, type TestIssuer } from '../../../test/issuer.ts'
import { type Service, startConfigured, startService } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import { createOperatorLink } from './access/link.ts'

const PUBLIC_URL = 'https://precedent.test/behind/a/path'

let shared: Service
let issuer: TestIssuer
let service: Service
/** With roles by a claim. */
let byClaim: Service

beforeAll(async () => {
  shared = await startService()
  issuer = await startIssuer()
  const settings = {
    PUBLIC_URL,
    TRUST_PROXY: '127.0.0.1',
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: issuer.client.id,
    OIDC_CLIENT_SECRET: issuer.client.secret,
    OIDC_NAME: 'the company',
  }
  service = await startConfigured(settings)
  byClaim = await startConfigured({
    ...settings,
    OIDC_ROLE_CLAIM: 'realm.roles',
    OIDC_ROLES: 'staff=viewer,precedent-admins=admin,a=b=developer',
  })
})
afterAll(async () => {
  await service.app.http.close()
  await byClaim.app.http.close()
  await issuer.close()
})
beforeEach(async () => {
  await forgetAttempts(shared)
  Object.assign(issuer, { person: {}, lie: {}, signed: 'RS256', userInfo: {}, error: undefined, asked: [] })
})

const verified = (email: string, more: object = {}) => ({ email, email_verified: true, ...more })
const invite = async (email: string, role = 'viewer') => {
  await createOperatorLink(shared.database, email)
  await shared.database.query(sql`update operator set role = ${role} where email = ${email}`)
}

describe('sign-in by OpenID Connect', () => {
  test('an invited person signs in with the role of the invitation, and comes back below the path of PUBLIC_URL', async () => {
    await invite('ada@company.example', 'reviewer')
    issuer.person = verified('Ada@company.example')
    const own = browser(service)
    const { redirectUri, query } = await own.leave()
    expect(redirectUri).toBe(`${PUBLIC_URL}/console/sign-in`)
    const answer = await own.ask('session/sign-in', { answer: query })
    expect(answer.body.result.data).toMatchObject({ operator: { email: 'ada@company.example', role: 'reviewer' } })
    expect([...own.jar.keys()]).toEqual(['__Host-precedent_session'])
    expect((await own.ask('session/get')).status).toBe(200)
    const [record] = await shared.database.query(sql`
      select actor, role, detail from audit_record where address = ${own.address}`)
    expect(record).toEqual({ actor: 'ada@company.example', role: 'reviewer', detail: { by: 'oidc' } })
  })

  test('the cookie of a sign-in that is under way is sealed, out of reach of scripts, and ends after ten minutes', async () => {
    const begun = await browser(service).ask('session/begin-oidc')
    const [cookie = ''] = begun.headers.getSetCookie()
    expect(cookie).toMatch(
      /^__Host-precedent_sign-?_?in=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    )
    const { searchParams } = new URL((begun.body.result.data as { address: string }).address)
    for (const name of ['state', 'nonce']) {
      expect(searchParams.get(name)).toMatch(/^[\w-]{43}$/)
      expect(cookie).not.toContain(searchParams.get(name))
    }
    expect(searchParams.get('code_challenge_method')).toBe('S256')
    expect(searchParams.get('scope')).toBe('openid email profile')
  })

  test('the page learns the name of the button, and that of another server that there is none', async () => {
    expect((await browser(service).ask('session/doors')).body.result.data).toEqual({
      password: true,
      operatorToken: false,
      oidc: 'the company',
    })
    expect((await askConsole(shared, 'session/doors')).body.result.data).toMatchObject({ oidc: null })
    expect((await askConsole(shared, 'session/begin-oidc')).body.error.status).toBe('FAILED_PRECONDITION')
  })

  test('an address that only the user info tells counts too', async () => {
    await invite('info@company.example')
    issuer.userInfo = verified('info@company.example')
    expect((await browser(service).signIn()).status).toBe(200)
    expect(issuer.asked).toContain('/userinfo')
  })

  test('a session ends a day after the sign-in, however much it is used', async () => {
    await invite('day@company.example')
    issuer.person = verified('day@company.example')
    const own = browser(service)
    expect((await own.signIn()).status).toBe(200)
    const age = (ms: number) =>
      shared.database.query(sql`update operator_session set created_at = now_ms() - ${ms} where door = 'oidc'`)
    await age(24 * 3_600_000 - 60_000)
    expect((await own.ask('session/get')).status).toBe(200)
    await age(24 * 3_600_000)
    expect((await own.ask('session/get')).status).toBe(401)
  })

  test('passwords can be switched off; the rest stays', async () => {
    const closed = await startConfigured({ PASSWORD_SIGN_IN: 'off' })
    const ask = (path: string, data: unknown, cookie = '') => askConsole(closed, path, data, { cookie })
    const refused = await ask('session/sign-in', { email: 'ada@company.example', password: 'a long password' })
    expect(refused.body.error.message).toContain('PASSWORD_SIGN_IN=off')
    const byLink = await ask('session/sign-in', { token: await createOperatorLink(shared.database, 'l@example.com') })
    expect(byLink.status).toBe(200)
    const cookie = byLink.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect((await ask('session/set-password', { password: 'a long password' }, cookie)).status).toBe(403)
    expect((await ask('session/doors', {})).body.result.data).toMatchObject({ password: false })
    await closed.app.http.close()
  })
})

describe('attacks', () => {
  test('nobody waits at the address of somebody else for their role', async () => {
    const token = await createOperatorLink(shared.database, 'waiting@company.example', { role: 'viewer' })
    const waiting = browser(byClaim)
    expect((await waiting.ask('session/sign-in', { token })).status).toBe(200)
    const password = 'a long password'
    const moved = await waiting.ask('session/set-password', { password, email: 'boss@company.example' })
    expect(moved.body.error?.status).toBe('FAILED_PRECONDITION')
    issuer.person = verified('boss@company.example', { realm: { roles: ['precedent-admins'] } })
    expect((await browser(byClaim).signIn()).status).toBe(200)
    expect((await waiting.ask('session/get')).body.result.data).toMatchObject({ operator: { role: 'viewer' } })
    expect((await waiting.ask('session/set-password', { password, email: 'Waiting@company.example' })).status).toBe(200)
  })

  /** Signs in as an invited person whose ID token is not what it should be. */
  async function refusal(lie: Partial<TestIssuer>): Promise<string> {
    await invite('victim@company.example', 'operator')
    Object.assign(issuer, { person: verified('victim@company.example') }, lie)
    const own = browser(service)
    const answer = await own.signIn()
    expect(own.jar.has('__Host-precedent_session')).toBe(false)
    expect([401, 403]).toContain(answer.status)
    return answer.body.error.message
  }
  const NOT_VALID = expect.stringContaining('The answer of the issuer is not valid')
  const now = () => Math.floor(Date.now() / 1000)

  test.each<[string, () => Partial<TestIssuer>]>([
    ['for another client (foreign audience)', () => ({ lie: { aud: 'another-client' } })],
    ['to another client (azp)', () => ({ lie: { azp: 'another-client' } })],
    ['for several clients, by none of them', () => ({ lie: { aud: ['precedent', 'another-client'] } })],
    ['of another issuer', () => ({ lie: { iss: 'https://evil.example' } })],
    ['with another nonce', () => ({ lie: { nonce: 'another' } })],
    ['that has expired', () => ({ lie: { iat: now() - 600, exp: now() - 300 } })],
    ['without a signature (alg none)', () => ({ signed: 'none' })],
    ['signed with a key that is not the issuer’s', () => ({ signed: 'with another key' })],
  ])('an ID token %s is refused', async (_, lie) => {
    expect(await refusal(lie())).toEqual(NOT_VALID)
  })

  test.each([
    ['is not verified', { email: 'victim@company.example', email_verified: false }],
    ['is not said to be verified', { email: 'victim@company.example' }],
    ['is said to be verified by a text', { email: 'victim@company.example', email_verified: 'true' }],
  ])('an email address that %s does not count', async (_, person) => {
    expect(await refusal({ person })).toContain('email_verified')
  })

  test('an address and its verification count only together: from the ID token, or from the user info', async () => {
    const victim = 'victim@company.example'
    const notVerified = { email: victim, email_verified: false }
    for (const userInfo of [notVerified, { email: victim }]) {
      expect(await refusal({ person: { email_verified: true }, userInfo })).toContain('email_verified')
    }
    issuer.person = { email: victim }
    issuer.userInfo = verified('own@company.example', { realm: { roles: ['staff'] } })
    expect((await browser(byClaim).signIn()).body.error.message).toContain('email_verified')
    issuer.person = verified('first@company.example')
    issuer.userInfo = { ...notVerified, realm: { roles: ['staff'] } }
    expect((await browser(byClaim).signIn()).body.result.data).toMatchObject({ operator: { role: 'viewer' } })
  })

  test.each(['a\u0000b@company.example', 'a\ud800@company.example', ' victim@company.example', 'victim'])(
    'an address that is none (%j) does not count',
    async (email) => {
      expect(await refusal({ person: verified(email) })).toContain('says no email address')
    },
  )

  test('a name is stored without half characters and what no database can hold', async () => {
    const nameOf = async (email: string, name: string) => {
      issuer.person = verified(email, { name, realm: { roles: ['staff'] } })
      const { body } = await browser(byClaim).signIn()
      return (body.result.data as { operator: { name: string } }).operator.name
    }
    expect(await nameOf('half@company.example', `${'x'.repeat(199)}😀`)).toBe('x'.repeat(199))
    expect(await nameOf('nul@company.example', ' A\u0000da ')).toBe('Ada')
    expect(await nameOf('blank@company.example', ' ')).toBe('blank@company.example')
  })

  test('a person without an address, and one whom nobody has invited, are refused; the latter is recorded by address', async () => {
    expect(await refusal({ person: {} })).toContain('says no email address')
    issuer.person = verified('unknown@company.example')
    const own = browser(service)
    const answer = await own.signIn()
    expect(answer.body.error).toMatchObject({
      status: 'PERMISSION_DENIED',
      message: expect.stringContaining('Nobody has invited'),
    })
    const [record] = await shared.database.query(sql`
      select actor, detail from audit_record where address = ${own.address}`)
    expect(record).toEqual({ actor: 'unknown@company.example', detail: { by: 'oidc', refused: true, attempts: 1 } })
  })

  test('what the issuer refuses is refused, and says why', async () => {
    expect(await refusal({ error: 'access_denied' })).toContain('(access_denied)')
  })

  test('an answer works once: replayed in the same browser, in another, or with a new code, it is refused', async () => {
    await invite('replay@company.example')
    issuer.person = verified('replay@company.example')
    const own = browser(service)
    const { query } = await own.leave()
    const cookie = new Map(own.jar)
    expect((await own.ask('session/sign-in', { answer: query })).status).toBe(200)
    for (const jar of [cookie, new Map<string, string>()]) {
      const thief = browser(service)
      for (const [name, value] of jar) thief.jar.set(name, value)
      expect((await thief.ask('session/sign-in', { answer: query })).status).toBe(401)
      expect(thief.jar.has('__Host-precedent_session')).toBe(false)
    }
  })

  test('a sign-in is used up even if it fails, and belongs to the browser that began it', async () => {
    await invite('csrf@company.example')
    issuer.person = verified('csrf@company.example')
    const victim = browser(service)
    const attacker = browser(service)
    const planted = await attacker.leave()
    const { query } = await victim.leave()
    // The victim's browser is made to open the attacker's answer: state and cookie differ.
    expect((await victim.ask('session/sign-in', { answer: planted.query })).status).toBe(401)
    expect((await victim.ask('session/sign-in', { answer: query })).status).toBe(401)
  })

  test('an answer of another issuer (mix-up) and one without a state are refused', async () => {
    for (const change of [
      (query: URLSearchParams) => query.set('iss', 'https://evil.example'),
      (query: URLSearchParams) => query.delete('state'),
    ]) {
      await invite('mix@company.example')
      issuer.person = verified('mix@company.example')
      const own = browser(service)
      const query = new URLSearchParams((await own.leave()).query)
      change(query)
      expect((await own.ask('session/sign-in', { answer: query.toString() })).status).toBe(401)
    }
    for (const answer of [7, 'x'.repeat(9000)]) {
      expect((await browser(service).ask('session/sign-in', { answer })).status).toBe(400)
    }
  })
})
