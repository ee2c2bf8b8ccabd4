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

const segmenter = new Intl.Segmenter('und', { granularity: 'sentence' })

/** The first sentences of a text, shortened; the last one read may be the beginning of a longer one. */
export function sentencesOf(text: string): Sentence[] {
  const read = text.slice(0, LONGEST_READ)
  return Array.from(segmenter.segment(read), ({ segment, index }) => {
    const full = segment.replace(/\s+/g, ' ').trim()
    const isRead = read.length === text.length || index + segment.length < read.length
    const sentence = shortened(full)
    return { text: sentence, isWhole: isRead && sentence === full && ENDED.test(sentence) }
  })
    .filter((sentence) => sentence.text)
    .slice(0, 8)
    .map((sentence) => ({ stems: stemsOf(sentence.text), opinion: opinionOf(sentence.text), ...sentence }))
}

/** A list's next number is no end of a sentence. */
const ENDED = /(?<!\s\d+)[.!?…。！？]["'”’)]*$/

function shortened(sentence: string): string {
  if (sentence.length <= LONGEST) return sentence
  const characters = Array.from(sentence)
  if (characters.length <= LONGEST) return sentence
  const cut = characters.slice(0, LONGEST - 1).join('')
  const space = cut.lastIndexOf(' ')
  return `${(space > LONGEST / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}
