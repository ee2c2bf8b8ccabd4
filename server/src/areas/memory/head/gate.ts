import { mean } from './calibration.ts'

/**
 * How near an item is to the known contents nearest to it: by words the mean similarity, by vectors, if any, the mean
 * cosine.
 */
export interface Nearness {
  words: number
  vectors: number | undefined
}

/** How a quantity is distributed over the known contents. */
interface Spread {
  mean: number
  deviation: number
}

/** Tells by how near an item is to the nearest votes whether it is about what these are about. */
export interface Gate {
  /** How near the known contents are to the votes of the others. Without vectors, words alone tell. */
  spread: { words: Spread; vectors?: Spread }
  /** The least topicality of an item on topic. */
  least: number
  /** The same for an item of no more than `words`, the shortest first. It may be lower. */
  shorter: { words: number; least: number }[]
}

/** The gates of an API key. Of too few known contents there is none. */
export interface Gates {
  words: Gate | null
  /** For items that have a vector of the model. */
  vectors: (Gate & { model: string }) | null
}

/** The lengths in words to which known contents are cut. A shorter text is less near to everything. */
export const CUT_LENGTHS = [8, 16, 32]

/**
 * An item is as near as this many contents, the nearest, are on average. (Chosen in sight of funds 6 and 7, of
 * Cranfield, CISI and web standards, and of mixtures of them.)
 */
const NEAREST = 5
/** What nearness by words counts; that by vectors counts the rest. (Chosen on Catalyst fund 6 and on Cranfield.) */
const WORDS_SHARE = 0.7
/** The share of the known contents that a gate leaves out. (Chosen on Catalyst funds 6 and 7.) */
const QUANTILE = { vectors: 0.08, words: 0.15 }
/** The same of those that are cut: fewer words tell less. (Chosen on Catalyst fund 6 and on Cranfield.) */
const CUT_QUANTILE = 0.25
/** Fewer known contents make no gate. */
const FEWEST_KNOWN = 50

/**
 * The nearness by the nearest votes. Votes of one content are equally near and count once, or a content that few others
 * are about would be far. Without any vote it is 0.
 */
export const nearness = (similarities: Iterable<number>, cosines: Iterable<number> | undefined): Nearness => ({
  words: meanOfMost(similarities),
  vectors: cosines && meanOfMost(cosines),
})

/**
 * Makes a gate from how near each known content is to the votes of the others, by words and, if all have them, by
 * vectors; null if they are too few. `cut`: the same of contents that are cut to each length.
 */
export function gateOf(known: Nearness[], cut: Nearness[][]): Gate | null {
  if (known.length < FEWEST_KNOWN) return null
  const cosines = known.flatMap(({ vectors }) => vectors ?? [])
  const hasVectors = cosines.length === known.length
  const spread = {
    words: spreadOf(known.map(({ words }) => words)),
    ...(hasVectors && { vectors: spreadOf(cosines) }),
  }
  const least = leastOf(spread, known, hasVectors ? QUANTILE.vectors : QUANTILE.words)
  const shorter = CUT_LENGTHS.flatMap((words, i) => {
    const shortened = cut[i] ?? []
    if (shortened.length < FEWEST_KNOWN) return []
    return [{ words, least: Math.min(least, leastOf(spread, shortened, CUT_QUANTILE)) }]
  })
  return { spread, least, shorter }
}

/** Whether an item of so many words is about what the known contents are about. */
export function isOnTopic({ spread, least, shorter }: Gate, near: Nearness, words: number): boolean {
  return topicality(spread, near) >= (shorter.find((limit) => words <= limit.words)?.least ?? least)
}

/** The words of a text, by blanks. */
export const wordCount = (text: string): number => text.match(WORD)?.length ?? 0

/** The beginning of a text that has so many words; all of a shorter one. */
export function firstWords(text: string, count: number): string {
  let found = 0
  for (const { index, 0: word } of text.matchAll(WORD)) if (++found === count) return text.slice(0, index + word.length)
  return text
}

const WORD = /\S+/g

function leastOf(spread: Gate['spread'], known: Nearness[], quantile: number): number {
  const topicalities = known.map((near) => topicality(spread, near)).sort((a, b) => a - b)
  return topicalities[Math.floor(quantile * known.length)] as number
}

/** How near an item is beside the known contents, in deviations: 0 if as near as they are on average. */
function topicality({ words, vectors }: Gate['spread'], near: Nearness): number {
  const byWords = standing(near.words, words)
  if (!vectors || near.vectors === undefined) return byWords
  return WORDS_SHARE * byWords + (1 - WORDS_SHARE) * standing(near.vectors, vectors)
}

const standing = (value: number, usual: Spread) => (value - usual.mean) / Math.max(usual.deviation, LEAST_DEVIATION)
const LEAST_DEVIATION = 1e-6

function spreadOf(values: number[]): Spread {
  const average = mean(values)
  return { mean: average, deviation: Math.sqrt(mean(values.map((value) => (value - average) ** 2))) }
}

function meanOfMost(values: Iterable<number>): number {
  const most = [...new Set(values)].sort((a, b) => b - a).slice(0, NEAREST)
  return most.length === 0 ? 0 : mean(most)
}
