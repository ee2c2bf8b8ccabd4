import { startOf } from '../../../platform/template.ts'
import { cutSentences } from '../words/cut-sentences.ts'
import { stemsOf } from '../words/tokenize.ts'
import { opinionOf } from './opinion.ts'

/** A sentence of a reasoning, of at most 140 characters. */
export interface Sentence {
  text: string
  /** It ends as sentences do, and nothing of it was left out. */
  isWhole: boolean
  stems: string[]
  /** How it judges: see `opinionOf`. */
  opinion: number
}

const LONGEST = 140
const LONGEST_READ = 2000
const MOST = 8

/** The first eight sentences of a text, shortened; the last one read may be the beginning of a longer one. */
export function sentencesOf(text: string): Sentence[] {
  const read = startOf(text, LONGEST_READ)
  const sentences: Sentence[] = []
  for (const { segment, index } of cutSentences(read)) {
    const full = segment.replace(/\s+/g, ' ').trim()
    if (full === '') continue
    const isRead = read.length === text.length || index + segment.length < read.length
    const kept = beginningOf(full)
    const isCut = kept !== full
    const stems = stemsOf(kept)
    sentences.push({
      text: isCut ? `${kept}…` : full,
      isWhole: isRead && !isCut && ENDED.test(full),
      stems,
      opinion: opinionOf(kept, stems),
    })
    if (sentences.length === MOST) break
  }
  return sentences
}

/** A list's next number is no end of a sentence. */
const ENDED = /(?<!\s\d+)[.!?…。！？]["'”’)]*$/

/** One character each. */
const PAIRS = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g

/** The whole sentence, or as many of its words as leave room for an ellipsis. */
function beginningOf(sentence: string): string {
  if (sentence.length - (sentence.match(PAIRS)?.length ?? 0) <= LONGEST) return sentence
  const cut = startOf(sentence, LONGEST - 1)
  const space = cut.lastIndexOf(' ')
  return (space > LONGEST / 2 ? cut.slice(0, space) : cut).trimEnd()
}
