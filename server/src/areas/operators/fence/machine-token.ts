import type { Secrets } from '../../../platform/secret.ts'

/** How long a token that is made of the master keys is valid. */
const LIFE_MS = 60_000
const FORM = /^machine\.(\d{1,15})\.(.+)$/

const signed = (expiresAt: string) => `operator of this machine until ${expiresAt}`

/** A token for a command on the machine of the server. Who has the master keys can read everything anyway. */
export function createMachineToken(secrets: Secrets, now: number): string {
  const expiresAt = String(now + LIFE_MS)
  return `machine.${expiresAt}.${secrets.hash(signed(expiresAt))}`
}

/** Whether a text is a token that was made of the master keys within the last minute. */
export function isMachineToken(text: string, secrets: Secrets, now: number): boolean {
  const [, expiresAt = '0', proof = ''] = FORM.exec(text) ?? []
  const left = Number(expiresAt) - now
  return left > 0 && left <= 2 * LIFE_MS && secrets.verify(signed(expiresAt), proof)
}
