import { createPublicKey, type KeyObject } from 'node:crypto'

/** Reads an RSA public key from base64 of its DER form, SPKI or PKCS#1; PEM armour is tolerated, anything else undefined. */
export function readPublicKey(text: string): KeyObject | undefined {
  const key = Buffer.from(text.replace(/-----[A-Z ]+-----/g, '').replace(/\s/g, ''), 'base64')
  for (const type of ['spki', 'pkcs1'] as const) {
    const read = attempt(() => createPublicKey({ key, format: 'der', type }))
    if (read?.asymmetricKeyType === 'rsa') return read
  }
  return undefined
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
