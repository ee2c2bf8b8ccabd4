import { restAfter } from '../../../platform/turns/yield.ts'
import { commonestStems, commonProbability, type Language } from './languages.ts'
import { PRIOR_FREQUENCY_TABLE } from './prior-frequency-table.ts'
import { StemBytes } from './stem-bytes.ts'
import { NO_PLACE, PLACES, placeOf } from './trigram-places.ts'
import { trigramsOf } from './trigrams.ts'

/** The stems of the table, and the level of the probability of each. */
interface Table {
  stems: StemBytes
  levels: Uint8Array
}

let table: Table | undefined
/** By language and place: the weight of a character 3-gram. */
const trigrams = new Map<Language, Float32Array>()
let preparing: Promise<void> | undefined

/**
 * Makes the tables in short turns, with rests between them. Who asks for a probability before they are made waits for
 * all of it, some 60 ms; later calls return at once.
 */
export async function preparePriors(): Promise<void> {
  if (trigrams.has('en')) return
  preparing ??= inTurns()
  await preparing
}

/** Rests after as many milliseconds. */
const TURN_MS = 5

async function inTurns(): Promise<void> {
  const tables = makeTables()
  for (let since = performance.now(); !tables.next().done; ) {
    if (performance.now() - since < TURN_MS) continue
    await restAfter(since)
    since = performance.now()
  }
}

/**
 * The probability that a general text of a judgment's length holds the stem; 0 for an unknown stem. That of an English
 * stem is of English texts; other languages know their commonest stems only.
 */
export const priorProbability = (stem: string): number => probabilityAt(priorLevelOf(stem))

/** The level of that probability, which fits into a byte: the lower, the likelier; 0 for an unknown stem. */
export function priorLevelOf(stem: string): number {
  const english = englishLevelOf(stem)
  const common = commonProbability(stem)
  return common > FOREIGN * probabilityAt(english) ? Math.round(-20 * Math.log(common)) : english
}

/** A stem that texts of another language hold so many times as often, such as *und*, is quoted in English ones. */
const FOREIGN = 150

/** The probability that an English text holds the stem. */
export const englishProbability = (stem: string): number => probabilityAt(englishLevelOf(stem))

function englishLevelOf(stem: string): number {
  table ??= atOnce(readTable())
  return table.levels[table.stems.find(stem) ?? -1] ?? UNKNOWN_STEM
}

const UNKNOWN_STEM = 0

/** By level. */
const probabilities = Float64Array.from({ length: 256 }, (_, level) =>
  level === UNKNOWN_STEM ? 0 : Math.exp(-level / 20),
)

/** The probability of a level, 0 to 255; the level 0 is that of unknown stems. */
export const probabilityAt = (level: number): number => probabilities[level] as number

/**
 * By place: the weight of a character 3-gram in texts of a language, by how many of its stems hold it. It is about 1
 * for the commonest, about 9 for unknown ones; `NO_PLACE` has none.
 */
export function trigramWeights(language: Language): Float32Array {
  const known = trigrams.get(language)
  if (known) return known
  const made = atOnce(language === 'en' ? englishWeights() : weightsOf(commonestStems().get(language) ?? []))
  trigrams.set(language, made)
  return made
}

const UNKNOWN_TRIGRAM = 1e-4
const UNKNOWN_WEIGHT = -Math.log(UNKNOWN_TRIGRAM)

/** Makes what is not made yet, in small steps. */
function* makeTables(): Generator<void> {
  if (!trigrams.has('en')) trigrams.set('en', yield* englishWeights())
}

function* englishWeights(): Generator<void, Float32Array> {
  table ??= yield* readTable()
  const { stems, levels } = table
  return yield* weightsOf(Array.from(levels, (level, stem) => [stems.textOf(stem), probabilityAt(level)] as const))
}

function atOnce<Made>(steps: Generator<void, Made>): Made {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** As many stems make a step. */
const STEP = 256

function* readTable(): Generator<void, Table> {
  const stems = new StemBytes()
  const levels: number[] = []
  for (const line of PRIOR_FREQUENCY_TABLE.split('\n')) {
    const [level = '', words = ''] = line.split(':')
    for (const word of words.split(' ')) {
      const stem = stems.idOf(word)
      levels[stem] = Number(level)
      if (stem % STEP === 0) yield
    }
  }
  return { stems, levels: Uint8Array.from(levels) }
}

/** By place: the weight of a 3-gram where texts hold stems with these probabilities. */
function* weightsOf(stems: Iterable<readonly [string, number]>): Generator<void, Float32Array> {
  const absent = new Float64Array(PLACES).fill(1)
  let read = 0
  for (const [stem, probability] of stems) {
    for (const place of new Set(trigramsOf(stem).map(placeOf))) {
      absent[place] = (absent[place] as number) * (1 - probability)
    }
    if (++read % STEP === 0) yield
  }
  const weights = new Float32Array(PLACES).fill(UNKNOWN_WEIGHT)
  weights[NO_PLACE] = 0
  for (let place = 1; place < PLACES; place++) {
    const share = absent[place] as number
    if (share < 1) weights[place] = -Math.log(Math.min(0.9, 1 - share + UNKNOWN_TRIGRAM))
  }
  return weights
}
