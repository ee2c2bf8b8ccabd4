import { mapInTurns } from '../../../platform/turns/yield.ts'
import { decisionPolarity } from '../../memory/judgment/decision-polarity.ts'
import type { Findings } from '../../memory/search/find-judgments.ts'
import { type Quote, quoteOf } from './quote.ts'
import type { Subject } from './subject.ts'

type Found = Findings['found'][number]

const MOST = 6
/** A sentence must hold so much of what the best one holds of the subject. */
const OF_THE_BEST = 0.75
/**
 * So many quotes with the most telling word as the question has it are enough without those with another of its stem.
 */
const ENOUGH = 3
/** What a place in the order of relevance takes off. */
const PLACE = 0.005

/**
 * Up to six of the judgments found, the best first, each with the sentence that answers best. Judgments whose sentence
 * holds much less of the subject than the best and is not near by vectors, or only asks, are left out if others do
 * better. Each reviewer is quoted before one is quoted again, and no sentence of theirs twice. It rests between
 * judgments.
 */
export async function quotedJudgments<Of extends Found>(
  found: readonly Of[],
  subject: Subject,
): Promise<(Of & { quote: Quote })[]> {
  const reasoned = found.filter(({ judgment }) => judgment.reasoning.trim() !== '')
  const read = await mapInTurns(reasoned, (each) => ({ ...each, quote: quoteOf(each.judgment.reasoning, subject) }))
  const quotes = read
    .map((each, place) => ({ ...each, place }))
    .sort((a, b) => b.quote.worth - a.quote.worth - PLACE * (b.place - a.place))
  const stated = quotes.filter(({ quote }) => !quote.isQuestion)
  const usable = stated.length > 0 ? stated : quotes
  const most = Math.max(...usable.map(({ quote }) => quote.share))
  const telling = usable.filter(({ quote, isNear }) => isNear || quote.share >= OF_THE_BEST * most)
  const verbatim = telling.filter(({ quote, isNear }) => isNear || quote.isVerbatim)
  return roundRobin(distinct(verbatim.length >= ENOUGH ? verbatim : telling)).slice(0, MOST)
}

type Attributed = { judgment: Found['judgment']; quote: Quote }

const reviewerOf = ({ judgment: { actionUser } }: Attributed) => actionUser.userId ?? ''

/** Without what a reviewer repeats for the same side, whatever the decision is called. */
function distinct<Of extends Attributed>(quotes: Of[]): Of[] {
  const known = new Set<string>()
  return quotes.filter((each) => {
    const { decision } = each.judgment
    const said = JSON.stringify([reviewerOf(each), decisionPolarity(decision) ?? decision, each.quote.snippet])
    return !known.has(said) && known.add(said)
  })
}

/** The first of each reviewer, then the second of each, and so on. */
function roundRobin<Of extends Attributed>(quotes: Of[]): Of[] {
  const rounds = new Map<string, number>()
  return quotes
    .map((each) => {
      const round = rounds.get(reviewerOf(each)) ?? 0
      rounds.set(reviewerOf(each), round + 1)
      return { each, round }
    })
    .sort((a, b) => a.round - b.round)
    .map(({ each }) => each)
}
