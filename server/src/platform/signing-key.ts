import { exportJWK, exportPKCS8, generateKeyPair, importPKCS8, type JWK, type JWTPayload, SignJWT } from 'jose'
import { type Db, json, sql } from './db/db.ts'
import { randomId } from './id.ts'
import type { Secrets } from './secret.ts'

const ALGORITHM = 'RS256'
const sealedFor = (id: string) => `signing-key:${id}`

/** Signs claims as a JWT (RFC 7519, RS256) with this installation's key, which the first call makes. */
export async function signToken(db: Db, secrets: Secrets, claims: JWTPayload): Promise<string> {
  const { id, sealed } = (await newestKey(db)) ?? (await makeKey(db, secrets))
  const key = await importPKCS8(secrets.open(sealed, sealedFor(id)), ALGORITHM)
  return new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: id }).sign(key)
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

async function makeKey(db: Db, secrets: Secrets): Promise<SealedKey> {
  // Those who find no key take turns, and only the first makes one.
  await db.query(sql`select pg_advisory_xact_lock(hashtextextended('signing_key', 0))`)
  const made = await newestKey(db)
  if (made) return made
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { modulusLength: 2048, extractable: true })
  const id = randomId('key_')
  const sealed = secrets.seal(await exportPKCS8(privateKey), sealedFor(id))
  const jwk = { ...(await exportJWK(publicKey)), kid: id, alg: ALGORITHM, use: 'sig' }
  await db.query(sql`insert into signing_key (id, public_jwk, private_sealed) values (${id}, ${json(jwk)}, ${sealed})`)
  return { id, sealed }
}

/** The public keys that tokens can be verified with, as a JWK Set (RFC 7517). */
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

/** Serves the published keys where verifiers look for them; anyone may read them, from any origin. */
export function mountJwks(http: Router, db: Db): void {
  http.get('/.well-known/jwks.json', async (_request, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', 'public, max-age=300')
      .send(await publishedKeys(db)),
  )
}
