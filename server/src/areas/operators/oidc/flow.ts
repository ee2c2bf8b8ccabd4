import type { Secrets } from '../../../platform/secret.ts'

/** How long somebody may take to sign in at the issuer. */
export const FLOW_MINUTES = 10

/** A sign-in that is under way. Its browser holds it, sealed, in a cookie. */
export interface Flow {
  state: string
  nonce: string
  /** The secret of PKCE: without it the code of the issuer is of no use. */
  verifier: string
  /** Epoch milliseconds. */
  expiresAt: number
}

const PURPOSE = 'oidc-sign-in'

/** A sign-in as a cookie holds it: sealed, so that the browser can neither read nor change it. */
export const sealFlow = (flow: Flow, secrets: Secrets): string => secrets.seal(JSON.stringify(flow), PURPOSE)

/** The sign-in of a cookie; undefined when it was changed, is over, or was made by another installation. */
export function openFlow(sealed: string, secrets: Secrets, now: number): Flow | undefined {
  try {
    const flow = JSON.parse(secrets.open(sealed, PURPOSE)) as Flow
    return flow.expiresAt > now ? flow : undefined
  } catch {
    return undefined
  }
}
