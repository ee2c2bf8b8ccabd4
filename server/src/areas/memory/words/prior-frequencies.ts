import { restAfter } from '../../../platform/yield.ts'
import { PRIOR_FREQUENCY_TABLE } from './prior-frequency-table.ts'
import { StemBytes } from './stem-bytes.ts'
import { PLACES, placeOf, placesOf } from './trigram-places.ts'

/** The stems of the table, and the level of the probability of each. */
interface Table {
  stems: StemBytes
  levels: Uint8Array
}

let table: Table | undefined
let trigrams: Float64Array | undefined
let preparing: Promise<void> | undefined

/**
 * Makes the tables in short turns, with rests between them. Who asks for a probability before they are made waits for
 * all of it, some 60 ms; later calls return at once.
 */
export async function preparePriors(): Promise<void> {
  if (trigrams) return
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

/** The probability that a general text of a judgment's length holds the stem; 0 for an unknown stem. */
export const priorProbability = (stem: string): number => probabilityAt(priorLevelOf(stem))

/** The level of that probability, which fits into a byte: the lower, the likelier; 0 for an unknown stem. */
export function priorLevelOf(stem: string): number {
  table ??= atOnce(readTable())
  return table.levels[table.stems.find(stem) ?? -1] ?? UNKNOWN_STEM
}

const UNKNOWN_STEM = 0

/** By level. */
const probabilities = Float64Array.from({ length: 256 }, (_, level) =>
  level === UNKNOWN_STEM ? 0 : Math.exp(-level / 20),
)

export const probabilityAt = (level: number): number => probabilities[level] as number

/**
 * The weight of a character 3-gram, by how many stems of general texts hold it: about 1 for the commonest, 10 for
 * unknown ones.
 */
export const trigramWeight = (trigram: string): number => trigramWeightAt(placeOf(trigram) ?? -1)

/** The same of the 3-gram at a place; -1 if it has none. */
export function trigramWeightAt(place: number): number {
  if (!trigrams) atOnce(makeTables())
  return -Math.log(Math.min(0.9, (trigrams?.[place] ?? 0) + UNKNOWN_TRIGRAM))
}

const UNKNOWN_TRIGRAM = 1e-4

/** Makes what is not made yet, in small steps. */
function* makeTables(): Generator<void> {
  table ??= yield* readTable()
  trigrams ??= yield* trigramProbabilities(table)
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

const NONE = new Int32Array(0)

/** By place: the probability that a general text holds the 3-gram. */
function* trigramProbabilities({ stems, levels }: Table): Generator<void, Float64Array> {
  const absent = new Float64Array(PLACES).fill(1)
  for (const [stem, level] of levels.entries()) {
    const places = placesOf(stems.bytesOf(stem)) ?? NONE
    for (let i = 0; i < places.length; i++) {
      const place = places[i] as number
      if (places.indexOf(place) === i) absent[place] = (absent[place] as number) * (1 - probabilityAt(level))
    }
    if (stem % STEP === 0) yield
  }
  return absent.map((share) => 1 - share)
}
