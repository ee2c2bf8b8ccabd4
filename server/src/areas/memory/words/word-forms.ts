/**
 * Whether two words may be forms of one, as *Bild* and *Bilder*: they begin alike, and their endings are short. Either
 * the shorter one has three letters or more, begins the longer one, and is four sevenths of it, or half if it has six.
 * Or they share the first four letters or more, which are two thirds of the longer one, or nearly. An umlaut is its
 * vowel here, and a Korean syllable its letters. As no language is known, *contrat* and *contraste* pass for forms of
 * one word.
 */
export function mayBeForms(a: string, b: string): boolean {
  const [one, other] = [lettersOf(a), lettersOf(b)]
  const shorter = Math.min(one.length, other.length)
  const longer = Math.max(one.length, other.length)
  let shared = 0
  while (shared < shorter && one[shared] === other[shared]) shared++
  if (shared < shorter) return shared >= 4 && shared >= 0.65 * longer
  return shared >= 3 && shared >= (shared < 6 ? 4 / 7 : 0.5) * longer
}

/** The letters that are compared. Most words have no others, and are not looked at twice. */
function lettersOf(word: string): string {
  if (PLAIN.test(word)) return word
  const parts = word.normalize('NFD').replaceAll('\u0308', '')
  return HANGUL.test(word) ? parts : parts.normalize('NFC')
}

const PLAIN = /^[a-zа-я]*$/
const HANGUL = /\p{Script=Hangul}/u
