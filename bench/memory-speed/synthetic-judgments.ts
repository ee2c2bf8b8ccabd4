import { PRIOR_FREQUENCY_TABLE } from '../../server/src/areas/memory/words/prior-frequency-table.ts'

/** A judgment as it is stored. Reviewers and organizations are numbers. */
export interface SyntheticJudgment {
  decision: string
  reasoning: string
  content: string
  reviewer: number
  organization: number
}

/** Each reviewer has made, and each organization holds, one judgment in a hundred. */
export const SHARE = 100

const WORDS = 200_000
const TOPICS = 500
const TOPIC_WORDS = 150
/** The words of topics are rarer than these, which every text may hold. */
const COMMON = 200
const TOPICAL = 0.4
const MEDIAN_REASONING = 40
const MEDIAN_CONTENT = 36

/**
 * Generates judgments and queries from a seed, the same every time. The vocabulary has 200,000 words: English stems by
 * frequency, then made-up ones; the word of rank r has a frequency proportional to 1/r. Each text has one of 500 topics
 * and takes two words in five from the 150 words of its topic, again by 1/r. Lengths are log-normal like those of real
 * review judgments, with a median of 40 words for reasonings and 36 for contents. `english`: the made-up words are two
 * stems each, so that they look like English.
 */
export function syntheticJudgments(seed: number, english = false) {
  const random = numbers(seed)
  const words = vocabulary(random, english)
  const byRank = (count: number) => Math.floor(count ** random())
  const topics = Array.from({ length: TOPICS }, () =>
    Array.from({ length: TOPIC_WORDS }, () => words[COMMON + byRank(WORDS - COMMON)] as string),
  )
  const topic = () => topics[Math.floor(random() * TOPICS)] as string[]
  const word = (about: string[]) =>
    (random() < TOPICAL ? about[byRank(TOPIC_WORDS) - 1] : words[byRank(WORDS) - 1]) as string
  const text = (about: string[], length: number) => Array.from({ length }, () => word(about)).join(' ')
  const length = (median: number) => Math.min(400, Math.max(4, Math.round(median * Math.exp(0.5 * normal(random)))))
  return {
    judgment(number: number): SyntheticJudgment {
      const about = topic()
      const draw = random()
      return {
        decision: draw < 0.7 ? 'approve' : draw < 0.95 ? 'reject' : 'comment',
        reasoning: text(about, length(MEDIAN_REASONING)),
        content: text(about, length(MEDIAN_CONTENT)),
        reviewer: number % SHARE,
        organization: Math.floor(random() * SHARE),
      }
    },
    /** A typed query: 3 to 12 words. */
    query: () => text(topic(), 3 + Math.floor(random() * 10)),
    /** An item to decide on, as long as the reviewed ones. */
    item: () => text(topic(), length(MEDIAN_CONTENT)),
  }
}

function vocabulary(random: () => number, english: boolean): string[] {
  const stems = PRIOR_FREQUENCY_TABLE.split('\n').flatMap((line) => line.split(':')[1]?.split(' ') ?? [])
  const words = new Set(stems)
  const stem = () => stems[Math.floor(random() * stems.length)] as string
  while (english && words.size < WORDS) words.add(stem() + stem())
  while (words.size < WORDS) {
    const syllable = () => 'bcdfghjklmnprstvw'.charAt(random() * 17) + 'aeiou'.charAt(random() * 5)
    words.add(Array.from({ length: 2 + Math.floor(random() * 3) }, syllable).join('') + 'nrstlkmx'.charAt(random() * 8))
  }
  return [...words]
}

/** Standard normal numbers (Box and Muller). */
const normal = (random: () => number) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** Numbers in [0, 1) (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
