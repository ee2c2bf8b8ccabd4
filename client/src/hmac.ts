/** Whether `signature` is the HMAC-SHA256 of `text` under `key`; compares in constant time. */
export async function isHmac(
  signature: Uint8Array<ArrayBuffer>,
  text: Uint8Array<ArrayBuffer>,
  key: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify'])
  return crypto.subtle.verify('HMAC', imported, signature, text)
}
