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
import { type Db, json, sql } from '../db/db.ts'
import { lockByName } from '../db/list-lock.ts'
import { randomId } from '../id.ts'
import type { Secrets } from '../secret.ts'

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
      const sealed = (await signingKey(db)) ?? (await createFirstKey(db, secrets))
      const header = { alg: ALGORITHM, typ: 'JWT', kid: sealed.id }
      return new SignJWT(claims).setProtectedHeader(header).sign(await imported(sealed))
    },
  }
}

interface SealedKey {
  id: string
  sealed: string
}

/** The latest of the keys that sign already. */
async function signingKey(db: Db): Promise<SealedKey | undefined> {
  const [key] = await db.query<SealedKey>(sql`
    select id, private_sealed as sealed
    from signing_key
    where signs_from <= now_ms()
    order by signs_from desc, created_at desc, id desc
    limit 1`)
  return key
}

async function createFirstKey(db: Db, secrets: Secrets): Promise<SealedKey> {
  // Concurrent calls that find no key run one after another; only the first creates one.
  await lockByName(db, 'signing_key')
  return (await signingKey(db)) ?? createKey(db, secrets)
}

/** How long verifiers may keep the key set. */
const CACHED_SECONDS = 300
/** A new key is published this long before it signs, so that every verifier has it by then. */
const PUBLISHED_AHEAD_MS = 2 * CACHED_SECONDS * 1000
/** The longest life of a token. */
export const TOKEN_LIFETIME_SECONDS = 48 * 3600

/**
 * Adds a key. It is published at once, and signs from ten minutes later on. The keys before it stay published until the
 * last token that they signed has ended. Where nothing was signed yet, a key that signs at once is added with it.
 */
export async function rotateSigningKey(db: Db, secrets: Secrets): Promise<SigningKey> {
  if (!(await signingKey(db))) await createKey(db, secrets)
  return createKey(db, secrets, { aheadMs: PUBLISHED_AHEAD_MS })
}

/** Replaces all keys by one that signs at once: for keys that somebody else may know. */
export const revokeSigningKeys = (db: Db, secrets: Secrets): Promise<SigningKey> =>
  createKey(db, secrets, { replacesAll: true })

interface SigningKey extends SealedKey {
  /** Epoch milliseconds. */
  signsFrom: number
}

async function createKey(db: Db, secrets: Secrets, { aheadMs = 0, replacesAll = false } = {}): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { modulusLength: 2048, extractable: true })
  const id = randomId('key_')
  const sealed = secrets.seal(await exportPKCS8(privateKey), sealedFor(id))
  const jwk = { ...(await exportJWK(publicKey)), kid: id, alg: ALGORITHM, use: 'sig' }
  const [created] = await db.query<{ signsFrom: number }>(sql`
    with replaced as (
      delete from signing_key where ${replacesAll}::boolean
    )
    insert into signing_key (id, public_jwk, private_sealed, signs_from)
    values (${id}, ${json(jwk)}, ${sealed}, now_ms() + ${aheadMs}::bigint)
    returning signs_from as "signsFrom"`)
  if (!created) throw new Error('The key just written did not come back.')
  return { id, sealed, ...created }
}

/**
 * The public keys that verify tokens, as a JWK Set (RFC 7517): those that sign, will sign, or have signed tokens that
 * may live still.
 */
export async function publishedKeys(db: Db): Promise<{ keys: JWK[] }> {
  const lifetimeMs = (TOKEN_LIFETIME_SECONDS + CACHED_SECONDS) * 1000
  const rows = await db.query<{ public_jwk: JWK }>(sql`
    select public_jwk
    from (
      select *, lead(signs_from) over (order by signs_from, created_at, id) as succeeded_at
      from signing_key
    ) k
    where succeeded_at is null or succeeded_at + ${lifetimeMs}::bigint > now_ms()
    order by signs_from, created_at, id`)
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
      .header('cache-control', `public, max-age=${CACHED_SECONDS}`)
      .send(await publishedKeys(db)),
  )
}
