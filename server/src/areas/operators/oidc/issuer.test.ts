import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { askConsole, forgetAttempts } from '../../../../test/console.ts'
import { browser } from '../../../../test/console-browser.ts'
import { startIssuer, type TestIssuer } from '../../../../test/issuer.ts'
import { type Service, startConfigured, startService } from '../../../../test/running-service.ts'
import { sql } from '../../../platform/db/db.ts'

const PUBLIC_URL = 'https://precedent.test'

let shared: Service
let issuer: TestIssuer
let service: Service

beforeAll(async () => {
  shared = await startService()
  issuer = await startIssuer()
  service = await startConfigured({
    PUBLIC_URL,
    TRUST_PROXY: '127.0.0.1',
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: issuer.client.id,
    OIDC_CLIENT_SECRET: issuer.client.secret,
  })
})
afterAll(async () => {
  await service.app.http.close()
  await issuer.close()
})
beforeEach(async () => {
  await forgetAttempts(shared)
  Object.assign(issuer, { misleads: {}, fails: undefined, asked: [] })
})

describe('an issuer that cannot be used', () => {
  test('an issuer that does not answer is no fault of the caller', async () => {
    const gone = await startConfigured({
      PUBLIC_URL,
      OIDC_ISSUER: 'http://127.0.0.1:1',
      OIDC_CLIENT_ID: 'precedent',
    })
    expect((await askConsole(gone, 'session/begin-oidc')).body.error.status).toBe('UNAVAILABLE')
    await gone.app.http.close()
  })

  test('an issuer that fails is no fault of the caller, and nothing of it is recorded', async () => {
    const own = browser(service)
    const { query } = await own.leave()
    issuer.fails = 503
    expect((await own.ask('session/sign-in', { answer: query })).body.error.status).toBe('UNAVAILABLE')
    const records = await shared.database.query(sql`select 1 from audit_record where address = ${own.address}`)
    expect(records).toEqual([])
  })

  test.each(['authorization_endpoint', 'token_endpoint', 'jwks_uri'])(
    'half an answer of the issuer, without %s, is not kept',
    async (name) => {
      const fresh = await startConfigured({ PUBLIC_URL, OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: 'precedent' })
      for (const nothing of [undefined, 7, 'javascript:alert(1)']) {
        issuer.misleads = { [name]: nothing }
        expect((await askConsole(fresh, 'session/begin-oidc')).status).toBe(401)
      }
      issuer.misleads = {}
      expect((await askConsole(fresh, 'session/begin-oidc')).status).toBe(200)
      await fresh.app.http.close()
    },
  )

  test('an issuer at a private address is reached only if OIDC_ALLOW or OUTBOUND_ALLOW names it', async () => {
    const settings = { PUBLIC_URL, OUTBOUND_ALLOW: '', OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: 'precedent' }
    const closed = await startConfigured(settings)
    expect((await askConsole(closed, 'session/begin-oidc')).body.error.status).toBe('UNAVAILABLE')
    expect(issuer.asked).toEqual([])
    const open = await startConfigured({ ...settings, OIDC_ALLOW: '127.0.0.0/8' })
    expect((await askConsole(open, 'session/begin-oidc')).status).toBe(200)
    await closed.app.http.close()
    await open.app.http.close()
  })
})
