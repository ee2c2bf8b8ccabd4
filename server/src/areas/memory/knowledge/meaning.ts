import { cosineOf } from '../../../platform/embedder/cosine.ts'
import type { PieceModel } from '../../../platform/embedder/word-pieces.ts'

/** More of an item, or of an entry, is not compared by vectors, so that no comparison takes longer than about 1 ms. */
const ITEM_CHARACTERS = 2_000
const ENTRY_CHARACTERS = 1_000

const segmenter = new Intl.Segmenter('und', { granularity: 'sentence' })

/**
 * Compares entries with an item by vectors: returns the cosine of an entry and the nearest sentence of the item, as one
 * sentence often says what an entry is about. Undefined if the model does not know the language of either.
 */
export function meaningOf(item: string, vectorOf: PieceModel['vectorOf']): (entry: string) => number | undefined {
  const sentences = Array.from(segmenter.segment(item.slice(0, ITEM_CHARACTERS)), ({ segment }) => vectorOf(segment))
  const known = sentences.filter(isKnown)
  return (entry) => {
    const vector = vectorOf(withoutLabels(entry.slice(0, ENTRY_CHARACTERS)))
    if (known.length === 0 || !isKnown(vector)) return undefined
    return Math.max(...known.map((sentence) => cosineOf(sentence, vector)))
  }
}

/** A row of a table without the names of its columns, which all rows have. */
function withoutLabels(entry: string): string {
  const labels = entry.match(LABEL) ?? []
  return labels.length > 1 ? entry.replace(LABEL, '') : entry
}

const LABEL = /(?<=^|; )[^:;]{1,60}: /g

const isKnown = (vector: Float32Array) => vector.some((element) => element !== 0)
