import { restAfter } from '../../../platform/yield.ts'
import { decisionPolarity } from '../judgment/decision-polarity.ts'
import type { MemoryScope, TextField } from '../judgment/indexed-judgment.ts'
import type { Suggestion } from '../search/suggest.ts'
import { type KnownModel, KnownPast } from './known-past.ts'
import { OFF_TOPIC_PROBES } from './off-topic-probes.ts'
import type { PastJudgment } from './read-history.ts'

/** What search and suggest would have returned for an item before its decision, and the decision. */
export interface Asked {
  at: number
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
  everyNth: number
  window: number
  model: string | null
  /** How many of the off-topic probes got a suggestion. */
  offTopicAnswers: number
  probes: number
}

export interface ReplayOptions {
  /** The judgments since then are asked about. */
  from: number
  /** How many those are. Of more than 10,000 every n-th is asked about. */
  test: number
  /** Undefined: words alone are compared. */
  dense?: KnownModel | undefined
  /** Embeds the off-topic probes. */
  embed?: ((texts: string[]) => Promise<Float32Array[]>) | undefined
}

/** The most judgments that are known at a time. Their index and vectors take about 0.5 GB. */
const WINDOW = 100_000
/** Enough for figures that are off by less than a hundredth. */
const MOST_ASKED = 10_000

/**
 * For each judgment after a start time, computes what would have been suggested and found before it. The judgments come
 * ordered by time. It knows the earlier ones, except those of the same thread. It rests as long as it works, yields how
 * many it has read, and returns what it found.
 */
export async function* replay(
  history: AsyncIterable<PastJudgment[]>,
  { from, test, dense, embed }: ReplayOptions,
): AsyncGenerator<number, Replay> {
  const past = new KnownPast(WINDOW, dense)
  const everyNth = Math.max(1, Math.ceil(test / MOST_ASKED))
  const done = {
    ...{ judgments: 0, sided: 0, withoutContent: 0, asked: [] as Asked[], everyNth, window: WINDOW },
    ...{ model: dense?.model ?? null, offTopicAnswers: 0, probes: OFF_TOPIC_PROBES.length },
  }
  let now = from
  let tested = 0
  let together: PastJudgment[] = []

  function learn(): void {
    for (const judgment of together) past.learn(judgment)
    together = []
  }

  for await (const batch of history) {
    for (const judgment of batch) {
      const since = performance.now()
      // Judgments of the same time do not know each other: an import may have days only, with all reviews of an item on
      // one.
      if (judgment.createdAt !== together[0]?.createdAt) learn()
      together.push(judgment)
      done.judgments++
      now = judgment.createdAt
      const side = decisionPolarity(judgment.decision)
      if (side) done.sided++
      if (side && now >= from && tested++ % everyNth === 0) {
        await past.settle()
        if (judgment.content.trim() === '') done.withoutContent++
        else done.asked.push(await ask(past, judgment, side))
        yield done.judgments
        await restAfter(since)
      }
      if (together.length >= WINDOW) learn()
    }
    yield done.judgments
  }
  learn()
  await past.settle()
  const vectors = dense && done.judgments > 0 ? await embed?.(OFF_TOPIC_PROBES) : undefined
  for (const [i, text] of OFF_TOPIC_PROBES.entries()) {
    const { primary } = await past.suggest({ text, vector: known(vectors?.[i]), thread: null }, [{}], now)
    if (primary) done.offTopicAnswers++
  }
  return done
}

/** Null if the model knows nothing of the text. */
const known = (vector: Float32Array | undefined) => (vector?.some((value) => value !== 0) ? vector : null)

async function ask(past: KnownPast, judgment: PastJudgment, side: 'approve' | 'reject'): Promise<Asked> {
  const { content: text, thread, createdAt: at, vectors } = judgment
  const item = { text, thread, vector: vectors.content }
  const { primary, conflict } = await past.suggest(item, scopesOf(judgment), at)
  const found = async (field: TextField) => {
    const hits = await past.search(field, item, 5)
    const sided = hits.flatMap(({ recordId }) => past.sideOf(recordId) ?? [])
    return { sided: sided.length, same: sided.filter((each) => each === side).length }
  }
  return {
    ...{ at, approve: side === 'approve', isConflict: conflict !== null },
    probability: primary ? approvalOf(primary) : undefined,
    scope: primary?.scope,
    ...past.counts(item),
    found: { review: await found('review'), content: await found('content') },
  }
}

const approvalOf = ({ recommendation, confidence }: Suggestion) =>
  recommendation === 'approve' ? confidence : 1 - confidence

/** The scopes that `suggest` tries for an item, the narrowest first. */
function scopesOf({ organization, document }: PastJudgment): MemoryScope[] {
  if (organization === null) return [{}]
  return document === null ? [{ organization }, {}] : [{ organization, document }, { organization }, {}]
}
