import { PRIOR_FREQUENCY_TABLE } from './prior-frequency-table.ts'
import { trigramsOf } from './tokenize.ts'

let stems: Map<string, number> | undefined
let trigrams: Map<string, number> | undefined

/** The probability that a general text of a judgment's length holds the stem; 0 for an unknown stem. */
export function priorProbability(stem: string): number {
  stems ??= readTable()
  return stems.get(stem) ?? 0
}

/**
 * The weight of a character 3-gram, by how many stems of general texts hold it: about 1 for the commonest, 10 for
 * unknown ones.
 */
export function trigramWeight(trigram: string): number {
  trigrams ??= trigramProbabilities()
  return -Math.log(Math.min(0.9, (trigrams.get(trigram) ?? 0) + UNKNOWN_TRIGRAM))
}

const UNKNOWN_TRIGRAM = 1e-4

function readTable(): Map<string, number> {
  const table = new Map<string, number>()
  for (const line of PRIOR_FREQUENCY_TABLE.split('\n')) {
    const [level = '', words = ''] = line.split(':')
    for (const word of words.split(' ')) table.set(word, Math.exp(-Number(level) / 20))
  }
  return table
}

function trigramProbabilities(): Map<string, number> {
  stems ??= readTable()
  const absent = new Map<string, number>()
  for (const [stem, probability] of stems) {
    for (const trigram of new Set(trigramsOf(stem))) {
      absent.set(trigram, (absent.get(trigram) ?? 1) * (1 - probability))
    }
  }
  return new Map([...absent].map(([trigram, share]) => [trigram, 1 - share]))
}
