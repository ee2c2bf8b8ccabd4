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

/** What search and suggest would have said to an item before it was decided, and how it was. */
export interface Asked {
  approve: boolean
  /** What suggest foretold: that it would be approved; undefined where it gave no answer. */
  probability: number | undefined
  scope: Suggestion['scope'] | undefined
  isConflict: boolean
  /** How many had been approved and rejected before. */
  approvals: number
  rejections: number
  /** Of the first five that search found by each text, how many took a side, and how many the same one. */
  found: Record<TextField, { sided: number; same: number }>
}

export interface Replay {
  judgments: number
  /** Judgments that took a side. */
  sided: number
  /** Judgments that took a side late enough to be asked about, but say nothing of what was reviewed. */
  withoutContent: number
  asked: Asked[]
  /** Sentences about something else that got a suggestion all the same, of so many. */
  offTopicAnswers: number
  probes: number
}

/**
 * Asks about each judgment from a time on, given in the order of time, what would have been suggested and found then:
 * the index holds what was decided before, without the judgment's own thread.
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
      // What was decided at the same time was not known yet: all reviews of an item, where an import has days alone.
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

/** What `work` answers while the index lacks some judgments. */
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

/** The scopes that `suggest` tries for an item of that place, the narrowest first. */
function scopesOf({ organization, document }: PastJudgment): MemoryScope[] {
  if (organization === null) return [{}]
  return document === null ? [{ organization }, {}] : [{ organization, document }, { organization }, {}]
}

function suggestIn(index: LexicalIndex, query: string, scopes: MemoryScope[], now: number): Suggestions {
  for (const scope of scopes) {
    const { votes, ...counts } = index.neighbours(query, scope)
    // Reasons are for readers only.
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
