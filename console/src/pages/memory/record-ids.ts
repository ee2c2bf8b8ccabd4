/**
 * Returns the ids of judgments that have none, by their texts: the same for the same text, other ones where it is
 * repeated in the file. `precedent memory import` gives a line of JSON the same id.
 */
export function recordIds(): (text: string) => Promise<string> {
  const seen = new Map<string, number>()
  return async (text) => {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text.trim()))
    const hash = Array.from(new Uint8Array(digest, 0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')
    const times = (seen.get(hash) ?? 0) + 1
    seen.set(hash, times)
    return times === 1 ? `act_${hash}` : `act_${hash}_${times}`
  }
}
