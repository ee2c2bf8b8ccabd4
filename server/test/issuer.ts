import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { listen } from './ports/listen.ts'

const CLIENT = { id: 'precedent', secret: 'secret/of the=client' }

/** What the issuer knows of a code that it gave out. */
interface Grant {
  challenge: string
  nonce: string
  redirectUri: string
}

/** A small OpenID Connect issuer: discovery, authorization, token, keys and user info. Tests make it lie. */
export interface TestIssuer {
  url: string
  client: typeof CLIENT
  /** What the issuer says of whoever signs in. */
  person: Record<string, unknown>
  /** What stands in the ID token besides, or instead. */
  lie: JWTPayload
  signed: 'RS256' | 'none' | 'with another key'
  /** What only the user info tells. */
  userInfo: Record<string, unknown>
  /** An error that the issuer answers an authorization with. */
  error: string | undefined
  /** What stands in the discovery document instead. */
  misleads: Record<string, unknown>
  /** A status that it answers everything with. */
  fails: number | undefined
  /** The addresses that were asked for. */
  asked: string[]
  close(): Promise<void>
}

/** Starts the issuer on loopback. */
export async function startIssuer(): Promise<TestIssuer> {
  const [key, otherKey] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const jwk = { ...(await exportJWK(key.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }
  const grants = new Map<string, Grant>()
  const issuer: TestIssuer = {
    url: '',
    client: CLIENT,
    person: {},
    lie: {},
    signed: 'RS256',
    userInfo: {},
    error: undefined,
    misleads: {},
    fails: undefined,
    asked: [],
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  const discovery = () => ({
    issuer: issuer.url,
    authorization_endpoint: `${issuer.url}/authorize`,
    token_endpoint: `${issuer.url}/token`,
    jwks_uri: `${issuer.url}/jwks`,
    userinfo_endpoint: `${issuer.url}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    ...issuer.misleads,
  })

  function authorize(query: URLSearchParams): string {
    const redirectUri = query.get('redirect_uri') ?? ''
    const address = new URL(redirectUri)
    address.searchParams.set('iss', issuer.url)
    address.searchParams.set('state', query.get('state') ?? '')
    if (query.get('client_id') !== CLIENT.id || query.get('code_challenge_method') !== 'S256') {
      throw new Error('The request of the authorization is not valid.')
    }
    if (issuer.error !== undefined) {
      address.searchParams.set('error', issuer.error)
      return address.href
    }
    const code = randomUUID()
    grants.set(code, { challenge: query.get('code_challenge') ?? '', nonce: query.get('nonce') ?? '', redirectUri })
    address.searchParams.set('code', code)
    return address.href
  }

  async function token(request: IncomingMessage): Promise<object> {
    const expected = `${encodeURIComponent(CLIENT.id)}:${encodeURIComponent(CLIENT.secret).replaceAll('%20', '+')}`
    const given = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString()
    if (given !== expected) return { error: 'invalid_client' }
    const body = new URLSearchParams(await text(request))
    const grant = grants.get(body.get('code') ?? '')
    // A code is used up by the first try.
    grants.delete(body.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    if (!grant || challenge !== grant.challenge || body.get('redirect_uri') !== grant.redirectUri) {
      return { error: 'invalid_grant' }
    }
    return { access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token: await idToken(grant.nonce) }
  }

  async function idToken(nonce: string): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: issuer.url,
      aud: CLIENT.id,
      sub: 'person-1',
      iat: now,
      exp: now + 60,
      nonce,
      ...issuer.person,
    }
    const payload: JWTPayload = { ...claims, ...issuer.lie }
    if (issuer.signed === 'none') return new UnsecuredJWT(payload).encode()
    const { privateKey } = issuer.signed === 'RS256' ? key : otherKey
    return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(privateKey)
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer.url)
    issuer.asked.push(pathname)
    if (issuer.fails !== undefined) return void response.writeHead(issuer.fails).end()
    if (pathname === '/authorize') return void response.writeHead(302, { location: authorize(searchParams) }).end()
    const pages: Record<string, () => object | Promise<object>> = {
      '/.well-known/openid-configuration': discovery,
      '/jwks': () => ({ keys: [jwk] }),
      '/token': () => token(request),
      '/userinfo': () => ({ sub: 'person-1', ...issuer.userInfo }),
    }
    const page = await pages[pathname]?.()
    const status = page === undefined ? 404 : 'error' in page ? 400 : 200
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(page ?? {}))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  issuer.url = `http://127.0.0.1:${await listen(server)}`
  return issuer
}
