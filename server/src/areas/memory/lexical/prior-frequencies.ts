import { PRIOR_FREQUENCY_TABLE } from './prior-frequency-table.ts'
import { StemBytes } from './stem-bytes.ts'
import { PLACES, placeOf, placesOf } from './trigram-places.ts'

/** The stems of the table, and the probability of each. */
let table: { stems: StemBytes; probabilities: number[] } | undefined
let trigrams: Float64Array | undefined

/** The probability that a general text of a judgment's length holds the stem; 0 for an unknown stem. */
export function priorProbability(stem: string): number {
  table ??= readTable()
  return table.probabilities[table.stems.find(stem) ?? -1] ?? 0
}

/** The same of a numbered stem. */
export function priorProbabilityOf(stems: StemBytes, stem: number): number {
  table ??= readTable()
  return table.probabilities[table.stems.findOf(stems, stem) ?? -1] ?? 0
}

/**
 * The weight of a character 3-gram, by how many stems of general texts hold it: about 1 for the commonest, 10 for
 * unknown ones.
 */
export const trigramWeight = (trigram: string): number => trigramWeightAt(placeOf(trigram) ?? -1)

/** The same of the 3-gram at a place; -1 if it has none. */
export function trigramWeightAt(place: number): number {
  trigrams ??= trigramProbabilities()
  return -Math.log(Math.min(0.9, (trigrams[place] ?? 0) + UNKNOWN_TRIGRAM))
}

const UNKNOWN_TRIGRAM = 1e-4

function readTable() {
  const stems = new StemBytes()
  const probabilities: number[] = []
  for (const line of PRIOR_FREQUENCY_TABLE.split('\n')) {
    const [level = '', words = ''] = line.split(':')
    for (const word of words.split(' ')) probabilities[stems.idOf(word)] = Math.exp(-Number(level) / 20)
  }
  return { stems, probabilities }
}

const NONE = new Int32Array(0)

/** By place: the probability that a general text holds the 3-gram. */
function trigramProbabilities(): Float64Array {
  table ??= readTable()
  const absent = new Float64Array(PLACES).fill(1)
  for (const [stem, probability] of table.probabilities.entries()) {
    const places = placesOf(table.stems.bytesOf(stem)) ?? NONE
    for (let i = 0; i < places.length; i++) {
      const place = places[i] as number
      if (places.indexOf(place) === i) absent[place] = (absent[place] as number) * (1 - probability)
    }
  }
  return absent.map((share) => 1 - share)
}
