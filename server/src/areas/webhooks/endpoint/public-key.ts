import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

const MIN_BITS = 2048

/** The rule for the public key of a config with `encryptData`. */
export const PUBLIC_KEY_RULE = `must be an RSA public key of at least ${MIN_BITS} bits in base64 (SPKI or PKCS#1) while encryptData is true`

/**
 * Reads an RSA public key of at least 2048 bits from base64 of its DER form, SPKI or PKCS#1. PEM armour is tolerated.
 * Returns undefined for anything else, also for a private key, from which Node would read the public one.
 */
export function readPublicKey(text: string): KeyObject | undefined {
  const key = Buffer.from(text.replace(/-----[A-Z ]+-----/g, '').replace(/\s/g, ''), 'base64')
  for (const type of ['spki', 'pkcs1'] as const) {
    const read = attempt(() => createPublicKey({ key, format: 'der', type }))
    if (read?.asymmetricKeyType === 'rsa' && (read.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_BITS) {
      return isPrivate(key) ? undefined : read
    }
  }
  return undefined
}

const isPrivate = (key: Buffer): boolean =>
  (['pkcs8', 'pkcs1'] as const).some((type) => attempt(() => createPrivateKey({ key, format: 'der', type })))

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
