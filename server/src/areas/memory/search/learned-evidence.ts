import { isOnTopic, nearness, wordCount } from '../head/gate.ts'
import { type AuthorRecord, foretell, type Head, type ItemTexts } from '../head/head.ts'
import type { Neighbours } from '../judgment/indexed-judgment.ts'
import type { JudgmentTable } from '../lexical/judgment-table.ts'
import type { Learned } from './basis.ts'

/** An item to forecast by what was learned. */
export interface LearnedItem {
  head: Head
  author: AuthorRecord | undefined
  texts: ItemTexts
  /** The model of its vector. */
  model: string | undefined
  /** What the gate says of it; undefined: there is no gate for it. */
  isOnTopic: boolean | undefined
  now: number
}

/** From here on the words of two texts are the same. */
const SAME_WORDS = 0.999

/**
 * What the gate of a head says of an item, by its nearest votes; undefined if there is none. What says the same as a
 * vote is on topic, however far the others are.
 */
export function passesGate(
  { gates }: Head,
  text: string,
  { votes }: Neighbours,
  byVectors?: { model: string; cosines: ReadonlyMap<string, number> },
): boolean | undefined {
  const isSame = byVectors !== undefined && byVectors.model === gates.vectors?.model
  const gate = isSame ? gates.vectors : gates.words
  if (!gate) return undefined
  const similarities = votes.map(({ similarity }) => similarity)
  if (similarities.some((similarity) => similarity >= SAME_WORDS)) return true
  const near = nearness(similarities, isSame ? byVectors.cosines.values() : undefined)
  return isOnTopic(gate, near, wordCount(text))
}

/** Forecasts the decision on an item from the evidence of one scope. */
export function learnedFrom(
  { head, author, texts, model, isOnTopic: onTopic, now }: LearnedItem,
  byWords: Neighbours,
  cosines: ReadonlyMap<string, number> | undefined,
  table: JudgmentTable,
): Learned {
  const sideOf = (key: string) => {
    const row = table.rowOf(key)
    return row === undefined ? undefined : table.sideOf(row)
  }
  const isSame = head.models.vectors?.model === model
  const evidence = { byWords, cosines: isSame ? cosines : undefined, sideOf }
  const { approvals, rejections } = table.voters({})
  const item = { ...texts, vector: isSame ? texts.vector : null, evidence, author }
  const { measured, drift } = head
  return { ...foretell(head, item, { approvals, rejections, now }), isOnTopic: onTopic, measured, drift }
}
