import { decisionPolarity } from '../judgment/decision-polarity.ts'
import type { IndexedJudgment, MemoryScope, TextField } from '../judgment/indexed-judgment.ts'
import { createLexicalIndex, type LexicalIndex } from '../lexical/lexical-index.ts'
import { type Suggestion, type Suggestions, suggest } from '../search/suggest.ts'
import { OFF_TOPIC_PROBES } from './off-topic-probes.ts'

/** A judgment of the past. */
export interface PastJudgment extends IndexedJudgment {
  /** The comment thread in which it was decided. */
  thread: string | null
}

/** What search and suggest would have returned for an item before its decision, and the decision. */
export interface Asked {
  approve: boolean
  /** The suggested probability of an approval; undefined if there was no suggestion. */
  probability: number | undefined
  scope: Suggestion['scope'] | undefined
  isConflict: boolean
  /** How many were approved and rejected before. */
  approvals: number
  rejections: number
  /** Of the first five hits by each text: how many took a side, and how many the side that was then decided. */
  found: Record<TextField, { sided: number; same: number }>
}

export interface Replay {
  judgments: number
  /** Judgments that took a side. */
  sided: number
  /** Judgments with a side after the start time that cannot be asked about, because they lack what was reviewed. */
  withoutContent: number
  asked: Asked[]
  /** How many of the off-topic probes got a suggestion. */
  offTopicAnswers: number
  probes: number
}

/**
 * For each judgment after a start time, computes what would have been suggested and found before it. The judgments come
 * ordered by time. The index holds the earlier ones, except those of the same thread.
 */
export async function replay(history: AsyncIterable<PastJudgment[]>, from: number): Promise<Replay> {
  const index = createLexicalIndex()
  const threads = new Map<string, PastJudgment[]>()
  const sides = new Map<string, 'approve' | 'reject'>()
  const done: Replay = {
    judgments: 0,
    sided: 0,
    withoutContent: 0,
    asked: [],
    offTopicAnswers: 0,
    probes: OFF_TOPIC_PROBES.length,
  }
  let now = from
  let together: PastJudgment[] = []

  function learn(): void {
    for (const judgment of together) {
      const { recordId, thread, decision } = judgment
      const side = decisionPolarity(decision)
      index.upsert(judgment)
      if (thread !== null) threads.set(thread, [...(threads.get(thread) ?? []), judgment])
      if (side) sides.set(recordId, side)
    }
    together = []
  }

  for await (const batch of history) {
    for (const judgment of batch) {
      // Judgments of the same time do not know each other: an import may have days only, with all reviews of an item on
      // one.
      if (judgment.createdAt !== together[0]?.createdAt) learn()
      together.push(judgment)
      const side = decisionPolarity(judgment.decision)
      const ofThread = judgment.thread === null ? [] : (threads.get(judgment.thread) ?? [])
      if (side && judgment.createdAt >= from) {
        if (judgment.content.trim() === '') done.withoutContent++
        else done.asked.push(without(index, ofThread, () => ask(index, judgment, side, sides)))
      }
      done.judgments++
      now = judgment.createdAt
    }
  }
  learn()
  done.sided = sides.size
  done.offTopicAnswers = OFF_TOPIC_PROBES.filter((probe) => suggestIn(index, probe, [{}], now).primary).length
  return done
}

/** Returns the result of `work` while the index lacks some judgments. */
function without<Answer>(index: LexicalIndex, judgments: PastJudgment[], work: () => Answer): Answer {
  for (const { recordId } of judgments) index.remove(recordId)
  const answer = work()
  for (const judgment of judgments) index.upsert(judgment)
  return answer
}

function ask(index: LexicalIndex, item: PastJudgment, side: 'approve' | 'reject', sides: Map<string, string>): Asked {
  const { approvals, rejections } = index.neighbours('', {})
  const { primary, conflict } = suggestIn(index, item.content, scopesOf(item), item.createdAt)
  const found = (field: TextField) => {
    const { hits } = index.search({ field, query: item.content, scope: {}, limit: 5 })
    const sided = hits.flatMap(({ recordId }) => sides.get(recordId) ?? [])
    return { sided: sided.length, same: sided.filter((each) => each === side).length }
  }
  return {
    approve: side === 'approve',
    probability: primary ? approvalOf(primary) : undefined,
    scope: primary?.scope,
    isConflict: conflict !== null,
    approvals,
    rejections,
    found: { review: found('review'), content: found('content') },
  }
}

const approvalOf = ({ recommendation, confidence }: Suggestion) =>
  recommendation === 'approve' ? confidence : 1 - confidence

/** The scopes that `suggest` tries for an item, the narrowest first. */
function scopesOf({ organization, document }: PastJudgment): MemoryScope[] {
  if (organization === null) return [{}]
  return document === null ? [{ organization }, {}] : [{ organization, document }, { organization }, {}]
}

function suggestIn(index: LexicalIndex, query: string, scopes: MemoryScope[], now: number): Suggestions {
  for (const scope of scopes) {
    const { votes, ...counts } = index.neighbours(query, scope)
    // Only readers need the reasons.
    const evidence = { ...counts, votes: votes.map((vote) => ({ ...vote, reasoning: '' })), scope: nameOf(scope) }
    const suggestions = suggest(evidence, now)
    if (suggestions.primary) return suggestions
  }
  return { primary: null, conflict: null }
}

function nameOf({ organization, document }: MemoryScope): Suggestion['scope'] {
  if (organization === undefined) return 'apiKey'
  return document === undefined ? 'organization' : 'document'
}
