import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createPageTokens } from './page-token.ts'
import { createSecrets } from './secret.ts'

const secrets = createSecrets([{ id: 'k', key: randomBytes(32) }])
const tokens = createPageTokens(secrets)
const scope = { operation: 'getUsers', tenant: 'key1', filters: { a: 1, b: ['x'] } }
const invalid = expect.objectContaining({
  status: 'INVALID_ARGUMENT',
  message: expect.stringMatching(/^pageToken must /),
  details: { issues: [{ path: 'pageToken', message: expect.any(String) }] },
})

test.each([[[1_700_000_000_000, 'id']], [{ id: 'ü' }], ['x'], [0], [null]])(
  'a token gives back its position %j',
  (position) => {
    expect(tokens.open(scope, tokens.seal(scope, position))).toEqual(position)
  },
)

test('a token does not show its position', () => {
  const token = tokens.seal(scope, ['user-id'])
  expect(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('latin1')).not.toContain('user-id')
})

test('the order of the keys of a filter does not matter', () => {
  const token = tokens.seal(scope, 1)
  expect(tokens.open({ ...scope, filters: { b: ['x'], a: 1 } }, token)).toBe(1)
})

test.each([
  ['operation', { ...scope, operation: 'getDocuments' }],
  ['tenant', { ...scope, tenant: 'key2' }],
  ['filter', { ...scope, filters: { a: 2, b: ['x'] } }],
  ['filter that is missing', { ...scope, filters: { a: 1 } }],
  ['filter that is new', { ...scope, filters: { a: 1, b: ['x'], c: null } }],
])('a token does not fit another %s', (_difference, other) => {
  expect(() => tokens.open(other, tokens.seal(scope, 1))).toThrow(invalid)
})

test('nothing but a token of this service is accepted', () => {
  const forged = createPageTokens(createSecrets([{ id: 'k', key: randomBytes(32) }])).seal(scope, 1)
  for (const text of [
    '',
    'x',
    'k.',
    'k.AAAA',
    forged,
    `${tokens.seal(scope, 1)}AAAA`,
    `${tokens.seal(scope, 1)}!`,
    secrets.seal('1', 'auth-token:key1'),
  ]) {
    expect(() => tokens.open(scope, text)).toThrow(invalid)
  }
})
