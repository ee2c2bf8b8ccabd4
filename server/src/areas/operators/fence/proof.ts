import type { ConsoleSession } from '../access/console-caller.ts'

const SIGN_IN = '/console/api/session/sign-in'
const SET_PASSWORD = '/console/api/session/set-password'

/** By what somebody proves who they are. */
export interface Proof {
  /** Whom they claim to be; empty where they do not say. */
  account: string
  /** What they show. */
  by: string
}

/** The proof that a call of the console holds; undefined for a call that holds none. */
export function proofOf(
  path: string,
  data: Record<string, unknown>,
  session: ConsoleSession | undefined,
): Proof | undefined {
  if (path === SIGN_IN) return { account: accountOf(data), by: doorOf(data) }
  if (path === SET_PASSWORD && session) return { account: session.email.toLowerCase(), by: 'old password' }
  return undefined
}

/** Which door a sign-in takes. Null stands for what is not sent, as it does in the call itself. */
function doorOf({ token, email, operatorToken, answer }: Record<string, unknown>) {
  if (isSent(answer)) return 'oidc'
  if (isSent(token)) return 'link'
  if (isSent(operatorToken)) return 'operator token'
  return isSent(email) ? 'password' : 'workspace token'
}

const isSent = (proof: unknown) => proof !== undefined && proof !== null

/** Whom a sign-in is for, as far as it says; cut, because anybody can send it. */
function accountOf({ email, workspaceId }: Record<string, unknown>): string {
  const [account = ''] = [email, workspaceId].filter((each) => typeof each === 'string')
  return account.replaceAll('\u0000', '').toLowerCase().slice(0, 320).toWellFormed()
}
