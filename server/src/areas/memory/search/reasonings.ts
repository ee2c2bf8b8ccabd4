import type { Neighbour } from '../judgment/indexed-judgment.ts'
import { type ArguesFor, learnArguments } from './arguments.ts'
import { type Sentence, sentencesOf } from './sentences.ts'
import { type Reason, topReasons } from './top-reasons.ts'

/** A vote whose reasoning was read. */
export type Reasoned = Pick<Neighbour, 'side'> & {
  reasoning: string
  /** The distinct stems of the reasoning, by their number in the index. */
  stems: ArrayLike<number>
}

/** The reasonings of the votes of a suggestion. The sentences of each are cut and stemmed once, when first needed. */
export class Reasonings {
  readonly #argues: ArguesFor
  readonly #item: ReadonlyMap<string, number>
  readonly #sentences = new Map<Reasoned, Sentence[]>()

  /**
   * `numberOf`: the number of a stem in the index; undefined if it has none. `item`: how much each stem of the item
   * tells that the suggestion is for.
   */
  constructor(
    votes: readonly Reasoned[],
    numberOf: (stem: string) => number | undefined,
    item: ReadonlyMap<string, number>,
  ) {
    this.#argues = learnArguments(votes, numberOf)
    this.#item = item
  }

  /** Up to three sentences that represent the reasonings of votes of a side, and bear on the item. */
  topOf(side: Reasoned['side'], votes: readonly { vote: Reasoned; weight: number }[]): Reason[] {
    const weighed = votes.map(({ vote, weight }) => ({ sentences: this.#sentencesOf(vote), weight }))
    return topReasons(weighed, (sentence) => this.#argues(sentence, side), this.#item)
  }

  #sentencesOf(vote: Reasoned): Sentence[] {
    const known = this.#sentences.get(vote)
    if (known) return known
    const sentences = sentencesOf(vote.reasoning)
    this.#sentences.set(vote, sentences)
    return sentences
  }
}
