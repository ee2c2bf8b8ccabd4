import { startOf } from '../../../platform/template.ts'
import { opinionOf } from '../../memory/search/opinion.ts'
import { cutSentences } from '../../memory/words/cut-sentences.ts'
import { stemsOf } from '../../memory/words/tokenize.ts'
import { type Subject, shareOf } from './subject.ts'

/** The sentence of a text that answers a question best. */
export interface Quote {
  /** As it stands there; one of more than 240 characters is cut at a word. */
  snippet: string
  /** The part of what the question is about that it holds. */
  share: number
  /** How well it answers: its share, more if it judges, less if it asks or says little. */
  worth: number
  isQuestion: boolean
  /** It has the word that tells most, not only another of its stem: *marketing*, not *market*. */
  isVerbatim: boolean
}

const LONGEST = 240
/** How many characters of a text are read. */
const READ = 4_000
/** So many characters have fewer sentences, unless these are hardly more than marks. */
const MOST_SENTENCES = 200
/** What a sentence is worth more that judges; twice so if the question asks for that judgment. */
const JUDGES = 0.15
/** The same for the words of the question as they stand there: *marketing* rather than *market*. */
const VERBATIM = 0.2
const ASKS = 0.6
const SAYS_LITTLE = 0.3
const FEWEST_STEMS = 3
const QUESTION = /[?？]["'”’)]*$/

/** The best sentence of the beginning of a text; the first of equal ones. An empty text has an empty one. */
export function quoteOf(text: string, subject: Subject): Quote {
  let best: Quote = { snippet: '', share: 0, worth: Number.NEGATIVE_INFINITY, isQuestion: false, isVerbatim: false }
  let read = 0
  for (const { segment } of cutSentences(startOf(text, READ))) {
    if (read++ === MOST_SENTENCES) break
    const sentence = segment.trim()
    if (sentence === '') continue
    const quote = withoutOpinion(sentence, subject)
    // To tell the opinion takes longest.
    if (quote.worth + 2 * JUDGES <= best.worth) continue
    const worth = quote.worth + JUDGES * judging(quote.snippet, subject)
    if (worth > best.worth) best = { ...quote, worth }
  }
  return best
}

function withoutOpinion(sentence: string, subject: Subject): Quote {
  const snippet = shortened(sentence)
  const stems = stemsOf(snippet)
  const share = shareOf(subject, stems)
  const isQuestion = QUESTION.test(sentence)
  const worth = share + VERBATIM * verbatim(snippet, subject) - (stems.length < FEWEST_STEMS ? SAYS_LITTLE : 0)
  return {
    snippet,
    share,
    worth: worth - (isQuestion ? ASKS : 0),
    isQuestion,
    isVerbatim: stands(subject.mostTelling, snippet.toLowerCase()),
  }
}

/** The part of the words of a subject that a sentence has as they stand in the question. */
function verbatim(sentence: string, { words }: Subject): number {
  const said = sentence.toLowerCase()
  return words.filter((word) => stands(word, said)).length / (words.length || 1)
}

/** Whether a word stands in a text in lower case, or its singular does. */
const stands = (word: string, text: string) => text.includes(word.toLowerCase().replace(/s$/, ''))

/** 1 if a sentence praises or blames; if the question asks for one of them, 2 for that and 0 for the other. */
function judging(sentence: string, { opinion }: Subject): number {
  const said = Math.sign(opinionOf(sentence))
  return said === 0 ? 0 : 1 + said * Math.sign(opinion)
}

function shortened(sentence: string): string {
  if (sentence.length <= LONGEST) return sentence
  const start = startOf(sentence, LONGEST - 1)
  return `${start.slice(0, start.lastIndexOf(' ') + 1 || undefined).trimEnd()}…`
}
