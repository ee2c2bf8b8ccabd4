import { expect, test } from 'vitest'
import { configFaults } from '../../../test/start/config-faults.ts'
import { readConfig } from '../config.ts'

test.each([['http://u:hunter2@db.test/'], ['127.0.0.1:80'], ['[::1]'], ['*'], ['a b']])(
  'HOST is an address or a name alone, not %s',
  (host) => {
    const faults = configFaults({ HOST: host, PORT: '-1' })
    expect(faults).toContain('HOST must be a valid address or host name, without scheme, port and brackets')
    expect(faults).toContain('PORT must be at least 0')
    expect(faults).not.toContain('hunter2')
  },
)

test.each([['0.0.0.0'], ['::'], ['fe80::1%eth0'], ['localhost'], ['db_1.internal.'], ['xn--bcher-kva.example']])(
  'HOST may be %s',
  (host) => {
    expect(readConfig({ HOST: host }).host).toBe(host)
  },
)

test('an issuer is named as it names itself, and scopes are separated by commas', () => {
  const sound = { OIDC_ISSUER: 'https://id.test/realm', OIDC_CLIENT_ID: 'c', PUBLIC_URL: 'https://reviews.test' }
  expect(configFaults(sound)).toBe('none')
  expect(configFaults({ ...sound, OIDC_ISSUER: 'http://127.0.0.1:4000' })).toBe('none')
  const address =
    'OIDC_ISSUER must be a valid https URL, or http URL of this machine, without user name, password, ? and #'
  for (const wrong of [
    'https://id.test/?realm=a',
    'https://c:hunter2@id.test',
    'https://id.test/#a',
    'http://id.test',
  ]) {
    const faults = configFaults({ ...sound, OIDC_ISSUER: wrong })
    expect(faults).toContain(address)
    expect(faults).not.toContain('hunter2')
  }
  expect(configFaults({ ...sound, OIDC_SCOPE: 'openid email' })).toBe(
    'The configuration is not valid:\n  OIDC_SCOPE[0] must be a valid scope; commas separate several',
  )
  expect(configFaults({ ...sound, OIDC_SCOPE: 'email' })).toContain('OIDC_SCOPE must contain openid')
})
