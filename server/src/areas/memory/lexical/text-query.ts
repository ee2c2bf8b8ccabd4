import { INDEXED_CHARACTERS } from '../judgment/judgment-text.ts'
import { priorProbability } from '../words/prior-frequencies.ts'
import { sublinear } from '../words/sublinear.ts'
import { stemsOfQuery } from '../words/tokenize.ts'
import type { FieldTexts } from './field-texts.ts'

/** A query against one field. The terms are sorted by weight, the heaviest first. */
export interface TextQuery {
  readonly field: FieldTexts
  /** By stem, known or not. */
  readonly idf: ReadonlyMap<string, number>
  /**
   * The stems that the field's vocabulary holds. `weight` is for a vector of length 1 that includes the unknown stems.
   */
  readonly terms: readonly QueryTerm[]
  /** The frequency of each of the other stems. */
  readonly unknown: ReadonlyMap<string, number>
}

/** A stem of a query. */
export interface QueryTerm {
  readonly stem: number
  readonly frequency: number
  readonly weight: number
  /** What a text scores by it per unit of sublinear frequency, before division by the text's norm. */
  readonly gain: number
}

/** The stems of a query with their weights in a field. What is beyond the indexed length of a text is left out. */
export function textQuery(field: FieldTexts, text: string): TextQuery {
  const stems = new Map<string, number>()
  for (const stem of stemsOfQuery(text.slice(0, INDEXED_CHARACTERS))) stems.set(stem, (stems.get(stem) ?? 0) + 1)
  const weighed = [...stems].map(([stem, frequency]) => {
    const id = field.vocabulary.find(stem)
    const idf = field.idf[id ?? -1] ?? field.idfOf(id, priorProbability(stem))
    return { stem, id, frequency, idf, weight: sublinear(frequency) * idf }
  })
  const norm = Math.hypot(...weighed.map(({ weight }) => weight)) || 1
  const terms = weighed
    .flatMap(({ id, frequency, idf, weight }) =>
      id === undefined ? [] : [{ stem: id, frequency, weight: weight / norm, gain: (weight / norm) * idf }],
    )
    .sort((a, b) => b.weight - a.weight || a.stem - b.stem)
  const unknown = new Map(weighed.flatMap(({ stem, id, frequency }) => (id === undefined ? [[stem, frequency]] : [])))
  return { field, idf: new Map(weighed.map(({ stem, idf }) => [stem, idf])), terms, unknown }
}
