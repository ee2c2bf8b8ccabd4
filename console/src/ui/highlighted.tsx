import { askedWords, sharedWords } from './shared-words.ts'

interface Props {
  text: string
  question: string
  /** Sentences of the text that the service says are most about the question; a cut one begins or ends with “…”. */
  sentences?: string[] | undefined
}

/**
 * A text with the words that a question shares with it marked, and the sentences that are most about it. It is shown as
 * text, whatever it holds.
 */
export function Highlighted({ text, question, sentences = [] }: Props) {
  const asked = askedWords(question)
  return rangesOf(text, sentences).map(({ from, to, isTelling }) => {
    const words = <Words key={from} text={text.slice(from, to)} asked={asked} />
    return isTelling ? (
      <mark key={from} className="sentence">
        {words}
      </mark>
    ) : (
      words
    )
  })
}

/** The words of a text, those marked that were asked for. */
function Words({ text, asked }: { text: string; asked: ReadonlySet<string> }) {
  const parts: { at: number; text: string; isShared: boolean }[] = []
  let at = 0
  for (const { at: from, word } of sharedWords(text, asked)) {
    if (from > at) parts.push({ at, text: text.slice(at, from), isShared: false })
    parts.push({ at: from, text: word, isShared: true })
    at = from + word.length
  }
  parts.push({ at, text: text.slice(at), isShared: false })
  return parts.map((part) => (part.isShared ? <mark key={part.at}>{part.text}</mark> : part.text))
}

/** The text in pieces, in its order. A sentence that is all of the text tells nothing, so it is no piece of its own. */
function rangesOf(text: string, sentences: string[]): { from: number; to: number; isTelling: boolean }[] {
  const found = sentences
    .flatMap((sentence) => rangeOf(text, sentence) ?? [])
    .filter(({ from, to }) => to - from < text.trim().length)
    .sort((a, b) => a.from - b.from)
  const pieces: { from: number; to: number; isTelling: boolean }[] = []
  let at = 0
  for (const { from, to } of found) {
    if (from < at) continue
    if (from > at) pieces.push({ from: at, to: from, isTelling: false })
    pieces.push({ from, to, isTelling: true })
    at = to
  }
  if (at < text.length) pieces.push({ from: at, to: text.length, isTelling: false })
  return pieces
}

/** Where a sentence stands. The service joins its white space, and marks where it is cut. */
function rangeOf(text: string, sentence: string): { from: number; to: number } | undefined {
  const words = sentence.replace(/^…|…$/g, '').trim().split(/\s+/).map(escaped)
  const match = new RegExp(words.join('\\s+'), 'u').exec(text)
  return match?.[0] ? { from: match.index, to: match.index + match[0].length } : undefined
}

const escaped = (text: string) => text.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&')
