import { PRIOR_FREQUENCY_TABLE } from './prior-frequency-table.ts'
import { StemBytes } from './stem-bytes.ts'

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
export function trigramWeight(trigram: string): number {
  trigrams ??= trigramProbabilities()
  return -Math.log(Math.min(0.9, (trigrams[placeOf(trigram, 0) ?? -1] ?? 0) + UNKNOWN_TRIGRAM))
}

const UNKNOWN_TRIGRAM = 1e-4

function* stemsOfTable(): Generator<readonly [string, number]> {
  for (const line of PRIOR_FREQUENCY_TABLE.split('\n')) {
    const [level = '', words = ''] = line.split(':')
    const probability = Math.exp(-Number(level) / 20)
    for (const word of words.split(' ')) yield [word, probability]
  }
}

function readTable() {
  const stems = new StemBytes()
  const probabilities: number[] = []
  for (const [stem, probability] of stemsOfTable()) probabilities[stems.idOf(stem)] = probability
  return { stems, probabilities }
}

/** The stems of the table have these characters; a space stands for the boundary of a word. */
const SIGNS = ' abcdefghijklmnopqrstuvwxyz0123456789'
const signs = new Map([...SIGNS].map((sign, number) => [sign.charCodeAt(0), number]))

/** The place of a 3-gram of such characters. */
function placeOf(text: string, at: number): number | undefined {
  let place = 0
  for (let i = at; i < at + 3; i++) {
    const sign = signs.get(text.charCodeAt(i))
    if (sign === undefined) return undefined
    place = place * SIGNS.length + sign
  }
  return text.length < at + 3 ? undefined : place
}

/** By place: the probability that a general text holds the 3-gram. */
function trigramProbabilities(): Float64Array {
  const absent = new Float64Array(SIGNS.length ** 3).fill(1)
  const latest = new Uint32Array(absent.length)
  let stems = 0
  for (const [stem, probability] of stemsOfTable()) {
    const text = ` ${stem} `
    stems++
    for (let at = 0; at + 3 <= text.length; at++) {
      const place = placeOf(text, at)
      // Each counts once a stem.
      if (place === undefined || latest[place] === stems) continue
      latest[place] = stems
      absent[place] = (absent[place] as number) * (1 - probability)
    }
  }
  return absent.map((share) => 1 - share)
}
