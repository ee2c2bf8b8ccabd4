const WORDS = /[\p{L}\p{N}]+/gu
const SHORTEST = 3

/** A text with the words that a question shares with it marked. It is shown as text, whatever it holds. */
export function Highlighted({ text, question }: { text: string; question: string }) {
  const asked = new Set(wordsOf(question).map(stemOf))
  const parts: { at: number; text: string; isShared: boolean }[] = []
  let at = 0
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    if (word.length < SHORTEST || !asked.has(stemOf(word))) continue
    if (index > at) parts.push({ at, text: text.slice(at, index), isShared: false })
    parts.push({ at: index, text: word, isShared: true })
    at = index + word.length
  }
  parts.push({ at, text: text.slice(at), isShared: false })
  return parts.map((part) => (part.isShared ? <mark key={part.at}>{part.text}</mark> : part.text))
}

const wordsOf = (text: string) =>
  [...text.matchAll(WORDS)].map(([word]) => word).filter((word) => word.length >= SHORTEST)

/** What remains of an English word without its usual endings, so that “refunds” and “refunded” are marked alike. */
const stemOf = (word: string) => word.toLowerCase().replace(/(ing|ed|es|s)$/u, '')
