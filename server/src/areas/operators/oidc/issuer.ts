import * as client from 'openid-client'
import type { Config } from '../../../platform/config.ts'
import type { Clock } from '../../../platform/context.ts'
import { ApiError } from '../../../platform/errors.ts'
import { compileGuard } from '../../../platform/http/validate.ts'
import { valueAt } from '../../../platform/json-value.ts'
import type { Log } from '../../../platform/log.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { email as emailOf } from '../../../platform/schema.ts'
import { serviceAddress } from '../../../platform/settings/service-address.ts'
import type { Identity } from '../access/console-caller.ts'
import { FLOW_MINUTES, type Flow } from './flow.ts'
import { issuerFetch, isUnreachable } from './issuer-fetch.ts'

/** The OpenID Connect issuer that operators sign in with (authorization code flow with PKCE, state and nonce). */
export interface Issuer {
  /** Begins a sign-in: the address of the issuer to open, and what must be kept until the browser comes back. */
  begin(): Promise<{ address: string; flow: Flow }>
  /**
   * Ends it with the query that the issuer sent the browser back with. Throws UNAUTHENTICATED unless the issuer vouches
   * for the person and their email address; UNAVAILABLE when the issuer does not answer.
   */
  finish(query: string, flow: Flow): Promise<Identity>
}

declare module '../../../platform/context.ts' {
  interface Services {
    /** Undefined where the operator has set none. */
    issuer: Issuer | undefined
  }
}

interface Options {
  config: Config
  /** Reaches the addresses that the issuer may have. */
  outbound: Outbound
  clock: Clock
  log: Log
}

/** Creates the issuer of the settings; undefined where none is set. It is asked for its addresses when first needed. */
export function createIssuer({ config, outbound, clock, log }: Options): Issuer | undefined {
  const { oidcIssuer, oidcScope } = config
  if (oidcIssuer === undefined) return undefined
  const redirectUri = `${serviceAddress(config)}/console/sign-in`
  const discovered = createDiscovery(config, oidcIssuer, outbound, clock)
  const asked = async <T>(ask: (issuer: client.Configuration) => Promise<T>): Promise<T> => {
    try {
      return await ask(await discovered())
    } catch (error) {
      throw refusalOf(error, log)
    }
  }
  return {
    begin: () =>
      asked(async (issuer) => {
        const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()]
        const address = client.buildAuthorizationUrl(issuer, {
          redirect_uri: redirectUri,
          scope: oidcScope.join(' '),
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        })
        const expiresAt = clock.now() + FLOW_MINUTES * 60_000
        return { address: address.href, flow: { state, nonce, verifier, expiresAt } }
      }),
    finish: (query, { state, nonce, verifier }) =>
      asked(async (issuer) => {
        const tokens = await client.authorizationCodeGrant(issuer, new URL(`?${query}`, redirectUri), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new Error('There is no ID token.')
        // OpenID Connect Core 1.0, section 3.1.3.7. The library looks at it where there are several audiences.
        if (claims.azp !== undefined && claims.azp !== config.oidcClientId) {
          throw new Error('The ID token was issued to another client (azp).')
        }
        return identityOf(await completed(issuer, tokens.access_token, claims, config.oidcRoleClaim))
      }),
  }
}

const KEPT_MS = 3_600_000

/** Asks the issuer for its addresses and keeps them for an hour. A failure is not kept. */
function createDiscovery(config: Config, issuer: string, outbound: Outbound, clock: Clock) {
  let kept: { until: number; found: Promise<client.Configuration> } | undefined
  return (): Promise<client.Configuration> => {
    if (kept && kept.until > clock.now()) return kept.found
    const found = discover(config, issuer, outbound)
    const mine = { until: clock.now() + KEPT_MS, found }
    kept = mine
    found.catch(() => {
      if (kept === mine) kept = undefined
    })
    return found
  }
}

async function discover(config: Config, address: string, outbound: Outbound): Promise<client.Configuration> {
  const { oidcClientId = '', oidcClientSecret } = config
  // The setting admits http on this machine only.
  const execute = [
    client.enableNonRepudiationChecks,
    ...(address.startsWith('http:') ? [client.allowInsecureRequests] : []),
  ]
  const options = { [client.customFetch]: issuerFetch(outbound), execute }
  const metadata = { [client.clockTolerance]: 30 }
  const found = await client.discovery(new URL(address), oidcClientId, metadata, client.None(), options)
  // Otherwise an answer that is only half an answer would be kept.
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    const given = String(found.serverMetadata()[name])
    const isUsable = URL.canParse(given) && ['https:', new URL(address).protocol].includes(new URL(given).protocol)
    if (!isUsable) throw new Error(`The issuer names no ${name} that can be used.`)
  }
  if (oidcClientSecret === undefined) return found
  const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = found.serverMetadata()
  const auth = methods.includes('client_secret_basic') ? client.ClientSecretBasic : client.ClientSecretPost
  const issuer = new client.Configuration(found.serverMetadata(), oidcClientId, metadata, auth(oidcClientSecret))
  issuer[client.customFetch] = issuerFetch(outbound)
  for (const extend of execute) extend(issuer)
  return issuer
}

type Claims = Record<string, unknown> & { sub: string }

/**
 * The claims of the ID token, with those that the issuer only tells when asked. Where the token names an address, what
 * the user info says to be verified is another one.
 */
async function completed(
  issuer: client.Configuration,
  accessToken: string,
  claims: Claims,
  roleClaim: string | undefined,
): Promise<Claims> {
  const isComplete = claims.email !== undefined && (roleClaim === undefined || valuesOf(claims, roleClaim).length > 0)
  if (isComplete || issuer.serverMetadata().userinfo_endpoint === undefined) return claims
  const told = await client.fetchUserInfo(issuer, accessToken, claims.sub)
  const { email, email_verified } = claims.email === undefined ? told : claims
  return { ...told, ...claims, email, email_verified }
}

const isAddress = compileGuard(emailOf('Of an operator.'))

function identityOf(claims: Claims): Identity {
  const { email, email_verified: isVerified, name } = claims
  if (!isAddress(email)) {
    throw refusal('The issuer says no email address. Ask for the scope email, and give the person one.')
  }
  if (isVerified !== true) {
    throw refusal('The issuer has not verified the email address (email_verified), so it does not count.')
  }
  return { email, name: typeof name === 'string' ? nameOf(name) : undefined, claims }
}

/** A name as it is stored: short, and without what no page shows, such as half a character. */
const nameOf = (name: string) =>
  name
    .slice(0, 200)
    .replace(/[\p{Cc}\p{Cs}]/gu, '')
    .trim() || undefined

/** The texts of a claim. Its name may lead into others with dots; a claim with dots in its own name comes first. */
export function valuesOf(claims: Record<string, unknown>, name: string): string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : valueAt(claims, name.split('.'))
  return [value].flat().filter((each) => typeof each === 'string')
}

const refusal = (message: string) => new ApiError('UNAUTHENTICATED', message)

/** What the caller learns. The log gets the reason, which may describe the issuer's answer but holds no token. */
function refusalOf(error: unknown, log: Log): ApiError {
  if (error instanceof ApiError) return error
  const { code = '', message } = error instanceof Error ? (error as Error & { code?: string }) : { message: 'unknown' }
  log.warn({ code, reason: message }, 'The sign-in by OpenID Connect failed.')
  if (isUnreachable(error)) {
    return new ApiError('UNAVAILABLE', 'The issuer does not answer. Try again, or sign in by another way.')
  }
  if (error instanceof client.AuthorizationResponseError) {
    return refusal(`The issuer has not signed you in (${/^[\w-]{1,60}$/.test(error.error) ? error.error : 'error'}).`)
  }
  return refusal('The answer of the issuer is not valid for this sign-in. Begin again; the log of the server says why.')
}
