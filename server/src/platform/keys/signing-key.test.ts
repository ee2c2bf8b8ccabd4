import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { startService, testDatabase } from '../../../test/running-service.ts'
import { sql } from '../db/db.ts'
import { createTokenSigner, publishedKeys, revokeSigningKeys, rotateSigningKey } from './signing-key.ts'

test('the private key is decrypted once, however many tokens are signed', async () => {
  const { database, app } = await startService()
  const { secrets } = app.services
  let opened = 0
  const signer = createTokenSigner({
    ...secrets,
    open(sealed, context) {
      opened += 1
      return secrets.open(sealed, context)
    },
  })
  const tokens: string[] = []
  for (const sub of ['ada', 'ben', 'cleo']) {
    tokens.push(await database.transaction((db) => signer.sign(db, { sub })))
  }
  const [first] = tokens
  expect(opened).toBe(1)
  expect(new Set(tokens.map((token) => decodeProtectedHeader(token).kid))).toEqual(
    new Set([decodeProtectedHeader(first ?? '').kid]),
  )
})

test('processes that need the first key at once create one', async () => {
  const database = await testDatabase()
  const { secrets } = (await startService()).app.services
  const tokens = await Promise.all(
    Array.from({ length: 5 }, () => database.transaction((db) => createTokenSigner(secrets).sign(db, { sub: 'u' }))),
  )
  const used = new Set(tokens.map((token) => decodeProtectedHeader(token).kid))
  expect([used.size, (await publishedKeys(database)).keys.length]).toEqual([1, 1])
  await database.close()
})

test('a rotated key is published at once and signs ten minutes later; the old one stays published while tokens live', async () => {
  const database = await testDatabase()
  const { secrets } = (await startService()).app.services
  const signer = createTokenSigner(secrets)
  const kid = async () => decodeProtectedHeader(await database.transaction((db) => signer.sign(db, {}))).kid
  const published = async () => (await publishedKeys(database)).keys.map((key) => key.kid)
  const pass = (minutes: number) =>
    database.query(
      sql`update signing_key set signs_from = signs_from - ${minutes * 60_000}::bigint where created_at > 0`,
    )
  const old = await kid()
  const before = Date.now()
  const { id, signsFrom } = await rotateSigningKey(database, secrets)
  expect([await kid(), await published()]).toEqual([old, [old, id]])
  expect(Math.round((signsFrom - before) / 60_000)).toBe(10)
  await pass(11)
  expect([await kid(), await published()]).toEqual([id, [old, id]])
  await pass(48 * 60)
  expect(await published()).toEqual([old, id])
  await pass(10)
  expect([await kid(), await published()]).toEqual([id, [id]])
  await database.close()
})

test('a token that was signed with the old key verifies against the published keys after a rotation', async () => {
  const database = await testDatabase()
  const { secrets } = (await startService()).app.services
  const token = await database.transaction((db) => createTokenSigner(secrets).sign(db, { sub: 'u' }))
  await rotateSigningKey(database, secrets)
  const keys = createLocalJWKSet(await publishedKeys(database))
  expect((await jwtVerify(token, keys)).payload.sub).toBe('u')
  await database.close()
})

test('revoked keys are no longer published, and the new one signs at once', async () => {
  const database = await testDatabase()
  const { secrets } = (await startService()).app.services
  const signer = createTokenSigner(secrets)
  const sign = () => database.transaction((db) => signer.sign(db, {}))
  await sign()
  const { id } = await revokeSigningKeys(database, secrets)
  expect(decodeProtectedHeader(await sign()).kid).toBe(id)
  expect((await publishedKeys(database)).keys.map((key) => key.kid)).toEqual([id])
  await database.close()
})
