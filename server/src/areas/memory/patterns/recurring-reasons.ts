import { startOf } from '../../../platform/template.ts'
import { mapWithRests } from '../../../platform/turns/yield.ts'
import { cutSentences } from '../words/cut-sentences.ts'
import { priorProbability } from '../words/prior-frequencies.ts'
import { stemsOf } from '../words/tokenize.ts'

/** A reason that several texts of a side share. */
export interface RecurringReason {
  /** A sentence of one of the texts that states it. */
  sentence: string
  /** The positions of the texts of the side that share it, ascending. */
  texts: number[]
  /** How many texts of each side share it. */
  shared: Map<string, number>
}

interface Limits {
  /** How many texts must share a reason. */
  support: number
  /** How many phrases become reasons at most; what both sides share may be a reason of each. */
  most: number
  /** The side of a text. What both sides share is a reason of each, stated by its own texts. */
  sideOf?: (text: number) => string
}

/**
 * Finds what texts say again and again: phrases of two or three telling stems, or sentences of one, that stand in
 * enough texts. Those in mostly the same texts are one reason. The most frequent come first, and no sentence comes
 * twice. The result depends on the texts alone. It rests between its parts.
 */
export async function recurringReasons(texts: string[], limits: Limits): Promise<RecurringReason[]> {
  const { support, most, sideOf = () => '' } = limits
  const sentences = await mapWithRests(texts, (text) => sentencesOf(text).map(phrasesOf))
  const phrases = new Map<string, number[]>()
  await mapWithRests([...sentences.entries()], ([text, each]) => {
    for (const phrase of new Set(each.flatMap((sentence) => sentence.phrases))) {
      const known = phrases.get(phrase)
      if (known) known.push(text)
      else phrases.set(phrase, [text])
    }
  })
  const frequent = [...phrases]
    .filter(([, shared]) => shared.length >= support)
    .sort(([a, inA], [b, inB]) => worth(b, inB) - worth(a, inA) || (a < b ? -1 : 1))
    .slice(0, MOST_PHRASES)
  const chosen: { phrase: string; texts: Set<number> }[] = []
  await mapWithRests(frequent, ([phrase, shared]) => {
    if (chosen.length < most && !chosen.some(({ texts: known }) => isSame(known, shared)))
      chosen.push({ phrase, texts: new Set(shared) })
  })
  const reasons = await mapWithRests(chosen, ({ phrase, texts: sharing }) => {
    const sides = bySide(sharing, sideOf)
    const shared = new Map(sides.map(([side, own]) => [side, own.length]))
    return sides
      .filter(([, own]) => own.length >= support)
      .map(([, own]) => ({ sentence: statementOf(phrase, own, sentences, phrases), texts: own, shared }))
  })
  return eachSentenceOnce(reasons.flat().sort((a, b) => b.texts.length - a.texts.length))
}

function bySide(texts: Iterable<number>, sideOf: (text: number) => string): [side: string, texts: number[]][] {
  const sides = new Map<string, number[]>()
  for (const text of texts) sides.set(sideOf(text), [...(sides.get(sideOf(text)) ?? []), text])
  return [...sides]
}

/** The first of those that say the same words. */
function eachSentenceOnce(reasons: RecurringReason[]): RecurringReason[] {
  const words = ({ sentence }: RecurringReason) =>
    sentence
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  const first = new Map<string, RecurringReason>()
  for (const reason of reasons) if (!first.has(words(reason))) first.set(words(reason), reason)
  return [...first.values()]
}

const LONGEST_READ = 800
const MOST_SENTENCES = 8
const LONGEST_STATEMENT = 140
/** A stem that more general texts than this share of them hold tells nothing. */
const COMMON = 0.03
/** One stem of a phrase must be rarer than this. */
const RARE = 0.015
/** Except what turns the sense of a phrase. */
const TELLING = new Set(['no', 'not', 'without', 'never', 'too', 'must'])
const MOST_PHRASES = 2_000
/** Two phrases are one reason if this share of the texts of the rarer one has the other too. */
const SAME = 0.6

interface Sentence {
  sentence: string
  phrases: string[]
}

/** A longer phrase says more, so it wins over its parts unless these are in many more texts. */
const worth = (phrase: string, texts: number[]) => texts.length * (1 + phrase.split(' ').length / 2)

const isSame = (chosen: Set<number>, texts: number[]): boolean =>
  texts.filter((text) => chosen.has(text)).length >= SAME * Math.min(chosen.size, texts.length)

/**
 * The sentence with the phrase whose phrases stand in the most of these texts on average, so what it says beside the
 * phrase is as usual as can be. Of equal ones the shortest.
 */
function statementOf(
  phrase: string,
  texts: number[],
  sentences: Sentence[][],
  textsOf: ReadonlyMap<string, number[]>,
): string {
  const among = new Set(texts)
  const counts = new Map<string, number>()
  const usual = (each: string) => {
    const count = counts.get(each) ?? (textsOf.get(each) ?? []).filter((text) => among.has(text)).length
    counts.set(each, count)
    return count
  }
  let best = { sentence: phrase, worth: -1 }
  for (const { sentence, phrases } of texts.flatMap((text) => sentences[text] ?? [])) {
    if (!phrases.includes(phrase)) continue
    const worth = phrases.reduce((sum, each) => sum + usual(each), 0) / phrases.length
    const isShorter = worth === best.worth && sentence.length < best.sentence.length
    if (worth > best.worth || isShorter) best = { sentence, worth }
  }
  const { sentence } = best
  return sentence.length > LONGEST_STATEMENT ? `${startOf(sentence, LONGEST_STATEMENT - 1)}…` : sentence
}

const sentencesOf = (text: string): string[] =>
  Array.from(cutSentences(text.slice(0, LONGEST_READ).toWellFormed()), ({ segment }) =>
    segment.replace(/\s+/g, ' ').trim(),
  )
    .filter((sentence) => sentence)
    .slice(0, MOST_SENTENCES)

function phrasesOf(sentence: string): Sentence {
  const stems = stemsOf(sentence).filter((stem) => TELLING.has(stem) || isRarer(stem, COMMON))
  const pairs = stems.slice(1).map((stem, i) => [stems[i] as string, stem])
  const triples = pairs.slice(1).map((pair, i) => [stems[i] as string, ...pair])
  const phrases = stems.length === 1 ? [stems] : [...pairs, ...triples]
  const telling = phrases.filter((phrase) => phrase.some((stem) => isRarer(stem, RARE)))
  return { sentence, phrases: telling.map((phrase) => phrase.join(' ')) }
}

const isRarer = (stem: string, than: number) => stem.length > 1 && priorProbability(stem) < than
