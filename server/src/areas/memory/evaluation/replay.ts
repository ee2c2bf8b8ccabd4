import { restAfter } from '../../../platform/turns/yield.ts'
import type { Forecast } from '../head/calibration.ts'
import { forecastInTurn, type Input } from '../head/stack.ts'
import { decisionPolarity, type Side } from '../judgment/decision-polarity.ts'
import type { TextField } from '../judgment/indexed-judgment.ts'
import { atRest, TURN_MS } from '../learning/in-turns.ts'
import { type KnownModel, scopesOf } from '../learning/known-past.ts'
import type { Learning } from '../learning/learn-head.ts'
import type { PastJudgment } from '../learning/read-history.ts'
import type { Suggestion } from '../search/suggest.ts'
import { tellingVector } from '../vectors/telling-vector.ts'
import { LearningPast, WINDOW } from './learning-past.ts'
import { OFF_TOPIC_PROBES } from './off-topic-probes.ts'

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

/** What a replay of the past found. */
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
  /** The forecasts of each input alone, and of all others; empty if nothing was learned from the whole history. */
  parts: { part: Input; alone: Forecast[]; without: Forecast[] }[]
}

export interface ReplayOptions {
  /** The judgments since then are asked about. */
  from: number
  /** How many those are. Of more than 10,000 every n-th is asked about. */
  test: number
  /** Undefined: words alone are compared. */
  dense?: KnownModel | undefined
  /** Whether the authors' records are used. Default: true. */
  authors?: boolean | undefined
  /** Embeds the off-topic probes. */
  embed?: ((texts: string[]) => Promise<Float32Array[]>) | undefined
}

/** Enough for figures that are off by less than a hundredth. */
const MOST_ASKED = 10_000

/**
 * For each judgment after a start time, computes what would have been suggested and found before it. The judgments come
 * ordered by time. It knows the earlier ones, except those of the same thread. It rests as long as it works, yields how
 * many it has read, and returns what it found.
 */
export async function* replay(
  history: AsyncIterable<PastJudgment[]>,
  { from, test, dense, embed, authors = true }: ReplayOptions,
): AsyncGenerator<number, Replay> {
  const then = new LearningPast({ dense, authors })
  const everyNth = Math.max(1, Math.ceil(test / MOST_ASKED))
  const done = emptyReplay(everyNth, dense)
  let now = from
  let tested = 0

  /** Takes steps, and yields after each how many judgments were read. */
  async function* take(steps: AsyncIterable<void>): AsyncGenerator<number> {
    for await (const _ of steps) yield done.judgments
  }

  for await (const batch of history) {
    let since = performance.now()
    for (const judgment of batch) {
      if (performance.now() - since >= TURN_MS) {
        await restAfter(since)
        since = performance.now()
      }
      yield* take(then.add(judgment))
      done.judgments++
      now = judgment.createdAt
      const side = decisionPolarity(judgment.decision)
      if (side) done.sided++
      if (!side || now < from || tested++ % everyNth !== 0) continue
      yield* take(then.settle())
      since = performance.now()
      if (judgment.content.trim() === '') done.withoutContent++
      else done.asked.push(await ask(then, judgment, side))
      yield done.judgments
      await restAfter(since)
      since = performance.now()
    }
    yield done.judgments
  }
  yield* take(then.know())
  yield* take(then.settle(true))
  const vectors = dense && done.judgments > 0 ? await embed?.(OFF_TOPIC_PROBES) : undefined
  const offTopicAnswers = await answersOffTopic(then, vectors, now)
  const parts: Replay['parts'] = []
  const { learning } = then
  for (const part of learning?.used ?? []) {
    yield done.judgments
    parts.push(await partOf(part, learning as Learning))
  }
  return { ...done, offTopicAnswers, parts }
}

const emptyReplay = (everyNth: number, dense: KnownModel | undefined): Omit<Replay, 'offTopicAnswers' | 'parts'> => ({
  judgments: 0,
  sided: 0,
  withoutContent: 0,
  asked: [],
  everyNth,
  window: WINDOW,
  model: dense?.model ?? null,
  probes: OFF_TOPIC_PROBES.length,
})

/** How many of the off-topic probes get a suggestion. */
async function answersOffTopic(
  { past, head }: LearningPast,
  vectors: Float32Array[] | undefined,
  now: number,
): Promise<number> {
  let answers = 0
  for (const [i, text] of OFF_TOPIC_PROBES.entries()) {
    const item = { text, vector: tellingVector(vectors?.[i]), thread: null, author: null }
    const { primary } = await past.suggest(item, [{}], now, head)
    if (primary) answers++
  }
  return answers
}

async function partOf(part: Input, { examples, used }: Learning): Promise<Replay['parts'][number]> {
  const by = (inputs: Input[]) => atRest(forecastInTurn(examples, inputs))
  return { part, alone: await by([part]), without: await by(used.filter((input) => input !== part)) }
}

async function ask({ past, head }: LearningPast, judgment: PastJudgment, side: Side): Promise<Asked> {
  const { content: text, thread, author, createdAt: at, vectors } = judgment
  const item = { text, thread, author, vector: vectors.content }
  const { primary, conflict } = await past.suggest(item, scopesOf(judgment), at, head)
  const found = async (field: TextField) => {
    const hits = await past.search(field, item, 5)
    const sided = hits.flatMap(({ key }) => past.sideOf(key) ?? [])
    return { sided: sided.length, same: sided.filter((each) => each === side).length }
  }
  return {
    at,
    approve: side === 'approve',
    isConflict: conflict !== null,
    probability: primary ? approvalOf(primary) : undefined,
    scope: primary?.scope,
    ...past.counts(item),
    found: { review: await found('review'), content: await found('content') },
  }
}

const approvalOf = ({ recommendation, confidence }: Suggestion) =>
  recommendation === 'approve' ? confidence : 1 - confidence
