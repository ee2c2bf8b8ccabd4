import { PRIOR_FREQUENCY_TABLE } from './prior-frequency-table.ts'
import { StemBytes } from './stem-bytes.ts'
import { trigramsOf } from './tokenize.ts'

/** The stems of the table, and the probability of each. */
let table: { stems: StemBytes; probabilities: number[] } | undefined
let trigrams: Map<string, number> | undefined

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
  return -Math.log(Math.min(0.9, (trigrams.get(trigram) ?? 0) + UNKNOWN_TRIGRAM))
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

function trigramProbabilities(): Map<string, number> {
  table ??= readTable()
  const absent = new Map<string, number>()
  for (const [stem, probability] of table.probabilities.entries()) {
    for (const trigram of new Set(trigramsOf(table.stems.textOf(stem)))) {
      absent.set(trigram, (absent.get(trigram) ?? 1) * (1 - probability))
    }
  }
  return new Map([...absent].map(([trigram, share]) => [trigram, 1 - share]))
}
