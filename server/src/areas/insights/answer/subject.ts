import { opinionOf } from '../../memory/search/opinion.ts'
import type { Wording } from '../../memory/search/other-forms.ts'
import { commonProbability } from '../../memory/words/languages.ts'
import { priorProbability } from '../../memory/words/prior-frequencies.ts'
import { stemsOf } from '../../memory/words/tokenize.ts'
import { asks } from './asking.ts'

/** What a question is about. */
export interface Subject {
  /** Its telling words, as they stand in the question. */
  words: string[]
  /** The word that tells most; empty if there is none. */
  mostTelling: string
  /** How much the stem of each tells. */
  weights: ReadonlyMap<string, number>
  /** By another form of such a stem: that stem. */
  forms: ReadonlyMap<string, string>
  /** Whether it is asked of English judgments: only their words are compared by stems. */
  isEnglish: boolean
  /** Above 0 if the question asks for praise, below 0 if for blame. */
  opinion: number
}

/** Of a long question, the start tells what it is about. */
const START = 2_000
const WORD = /[\p{L}\p{N}\p{M}]+/gu
/** A word that more general texts hold tells little; it counts if the question has no rarer one. */
const RARE = 0.03
const FAIRLY_RARE = 0.1
/** Of a script with a word for each character, so many words that tell most. */
const MOST_TOLD = 200

/**
 * What a question is about: its words without the common ones, those by which one asks, and the names. `wording` tells
 * how the judgments word it; of a stem that it does not know, the frequency in general tells how much it tells.
 */
export function subjectOf(
  question: string,
  names: string[] = [],
  wording?: Pick<Wording, 'weights' | 'forms'>,
): Subject {
  const isEnglish = wording?.forms === undefined
  const start = question.slice(0, START)
  const telling = tellingOf(start, names, isEnglish).map(({ word, part, stem, prior }) => {
    return { word, stem, weight: part * (wording?.weights.get(stem) ?? weightOf(prior)) }
  })
  const byWeight = telling.toSorted((a, b) => b.weight - a.weight)
  const kept = telling.length > MOST_TOLD ? byWeight.slice(0, MOST_TOLD) : telling
  return {
    words: [...new Set(kept.map(({ word }) => word))],
    mostTelling: byWeight[0]?.word ?? '',
    weights: new Map(kept.map(({ stem, weight }) => [stem, weight])),
    forms: wording?.forms ?? NO_FORMS,
    isEnglish,
    opinion: askedOpinionOf(start),
  }
}

/** The telling words of a question, one for each stem: the rare ones, or the fairly rare ones if it has none. */
function tellingOf(question: string, names: string[], isEnglish: boolean) {
  const ofNames = new Set(names.flatMap(stemsOf))
  const isAsking = (stem: string) => asks(stem, isEnglish) || (!isEnglish && commonProbability(stem) >= FAIRLY_RARE)
  const fairlyRare = (question.match(WORD) ?? [])
    .flatMap((word) => {
      const part = partOf(word)
      return stemsOf(word).map((stem) => ({ word, part, stem, prior: priorProbability(stem) }))
    })
    .filter(({ stem, prior }) => prior < FAIRLY_RARE && !ofNames.has(stem) && !isAsking(stem))
  const rare = fairlyRare.filter(({ prior }) => prior < RARE)
  return [...new Map((rare.length > 0 ? rare : fairlyRare).map((each) => [each.stem, each])).values()]
}

const NO_FORMS: ReadonlyMap<string, string> = new Map()

function askedOpinionOf(question: string): number {
  if (PRAISE.test(question)) return 1
  return BLAME.test(question) ? -1 : opinionOf(question)
}

const PRAISE = /\b(?:approv|endors|prais)(?:e|ed|es|ing|al)?\b/i
const BLAME = /\b(?:blam|criticis|criticiz|oppos|refus)(?:e|ed|es|ing)?\b|\breject(?:s|ed|ing|ion|ions)?\b/i

const LEAST_PRIOR = 2e-4
const weightOf = (prior: number) => -Math.log(Math.max(prior, LEAST_PRIOR))

/** *Why is it harmful?* asks about it more than about harm: a word of praise or blame counts half. */
const partOf = (word: string) => (opinionOf(word) === 0 ? 1 : 0.5)

/** The part of a subject that is told by the stems that a text shares with it, in any form, 0 to 1. */
export function shareOf({ weights, forms }: Subject, stems: readonly string[]): number {
  const held = new Set(stems.map((stem) => forms.get(stem) ?? stem))
  let shared = 0
  let all = 0
  for (const [stem, weight] of weights) {
    all += weight
    if (held.has(stem)) shared += weight
  }
  return all > 0 ? shared / all : 0
}

/**
 * The share of a subject from which a judgment is on it, among `count`. By chance a judgment holds one of two rare
 * words, and a smaller part of many words; and the more judgments there are, the more it is. Measured: see
 * `docs/memory.md`.
 */
export function leastShare({ weights }: Subject, count: number): number {
  const least = 0.36 + 0.064 * Math.log10(Math.max(count, 2))
  return least * Math.min(1, Math.sqrt(FEW_WORDS / weights.size))
}

const FEW_WORDS = 4

/**
 * The similarity from which a judgment is on a subject of which it holds less, among `count`. Among many, no similarity
 * tells a short question on something else from one on the subject.
 */
export function leastSimilarity(count: number): number {
  return count > FEW_JUDGMENTS ? Number.POSITIVE_INFINITY : 0.15 + Math.max(0, 0.0825 * Math.log10(count / 180))
}

const FEW_JUDGMENTS = 1_000
