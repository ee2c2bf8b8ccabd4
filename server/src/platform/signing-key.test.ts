import { decodeProtectedHeader } from 'jose'
import { expect, test } from 'vitest'
import { startService, testDatabase } from '../../test/running-service.ts'
import { createTokenSigner, publishedKeys } from './signing-key.ts'

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
