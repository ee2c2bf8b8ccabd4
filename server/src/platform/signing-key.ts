import {
  type CryptoKey,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importPKCS8,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose'
import { type Db, json, sql } from './db/db.ts'
import { randomId } from './id.ts'
import type { Secrets } from './secret.ts'

const ALGORITHM = 'RS256'
const sealedFor = (id: string) => `signing-key:${id}`

/** Signs tokens with the key of this installation. */
export interface TokenSigner {
  /** Signs claims as a JWT (RFC 7519, RS256). The first call of the installation creates the key. */
  sign(db: Db, claims: JWTPayload): Promise<string>
}

/** Creates the signer of a process. It decrypts and imports a key once: that takes longer than a signature. */
export function createTokenSigner(secrets: Secrets): TokenSigner {
  let latest: { id: string; key: CryptoKey } | undefined
  const imported = async ({ id, sealed }: SealedKey) => {
    if (latest?.id === id) return latest.key
    const key = await importPKCS8(secrets.open(sealed, sealedFor(id)), ALGORITHM)
    latest = { id, key }
    return key
  }
  return {
    async sign(db, claims) {
      const sealed = (await newestKey(db)) ?? (await createKey(db, secrets))
      const header = { alg: ALGORITHM, typ: 'JWT', kid: sealed.id }
      return new SignJWT(claims).setProtectedHeader(header).sign(await imported(sealed))
    },
  }
}

interface SealedKey {
  id: string
  sealed: string
}

async function newestKey(db: Db): Promise<SealedKey | undefined> {
  const [key] = await db.query<SealedKey>(sql`
    select id, private_sealed as sealed
    from signing_key
    order by created_at desc, id desc
    limit 1`)
  return key
}

async function createKey(db: Db, secrets: Secrets): Promise<SealedKey> {
  // Concurrent calls that find no key run one after another; only the first creates one.
  await db.query(sql`select pg_advisory_xact_lock(hashtextextended('signing_key', 0))`)
  const created = await newestKey(db)
  if (created) return created
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { modulusLength: 2048, extractable: true })
  const id = randomId('key_')
  const sealed = secrets.seal(await exportPKCS8(privateKey), sealedFor(id))
  const jwk = { ...(await exportJWK(publicKey)), kid: id, alg: ALGORITHM, use: 'sig' }
  await db.query(sql`insert into signing_key (id, public_jwk, private_sealed) values (${id}, ${json(jwk)}, ${sealed})`)
  return { id, sealed }
}

/** The public keys that verify tokens, as a JWK Set (RFC 7517). */
export async function publishedKeys(db: Db): Promise<{ keys: JWK[] }> {
  const rows = await db.query<{ public_jwk: JWK }>(sql`select public_jwk from signing_key order by created_at, id`)
  return { keys: rows.map((row) => row.public_jwk) }
}

interface Reply {
  header(name: string, value: string): Reply
  send(body: unknown): unknown
}

interface Router {
  get(path: string, handler: (request: unknown, reply: Reply) => Promise<unknown>): unknown
}

/** Serves the public keys at the path where verifiers expect them, to any origin. */
export function mountJwks(http: Router, db: Db): void {
  http.get('/.well-known/jwks.json', async (_request, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', 'public, max-age=300')
      .send(await publishedKeys(db)),
  )
}
