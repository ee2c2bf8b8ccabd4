import { restAfter } from '../../../platform/turns/yield.ts'
import { accuracy, auc, brierScore, calibrationError, type Forecast, mean } from '../head/calibration.ts'
import { hashed } from '../head/hashed-words.ts'
import {
  ageInput,
  authorInput,
  decay,
  type Head,
  inputsIn,
  type Models,
  modelInputs,
  nearestInputs,
  STACK_NAMES,
  stackName,
} from '../head/head.ts'
import { logOdds, smoothedRate } from '../head/odds.ts'
import {
  calibrated,
  deviationOf,
  type Example,
  fitStack,
  forecastInTurn,
  type Input,
  inputsOf,
  type Stack,
} from '../head/stack.ts'
import { decisionPolarity } from '../judgment/decision-polarity.ts'
import { preparePriors } from '../words/prior-frequencies.ts'
import { indexedStems } from '../words/tokenize.ts'
import { type CutHistory, cutHistory } from './cuts.ts'
import { type Dated, driftOf } from './drift.ts'
import { fitModels, type Lesson } from './fit-models.ts'
import { inTurns } from './in-turns.ts'
import { type KnownModel, KnownPast, scopesOf } from './known-past.ts'
import { learnGates } from './learn-gates.ts'
import type { PastJudgment } from './read-history.ts'

/** With fewer judgments that took a side on some content, nothing is learned. */
export const FEWEST_JUDGMENTS = 200
/** The most judgments that are learned from: the latest. */
export const MOST_JUDGMENTS = 50_000
/** The most examples that the weights of the inputs are fitted to. */
const MOST_EXAMPLES = 4_000
/** The most by which the share of approvals is expected to move on, in log-odds: 5 of 100 points. */
const MOST_TREND = 0.2

/** The shares of approvals when a head is fitted. */
interface RateNow {
  /** Of all judgments. */
  all: number
  /** By how much the judgments of late approve more than all, in log-odds. */
  late: number
}

interface LearningOptions {
  dense: KnownModel | undefined
  /** Whether the author's record may be used. */
  authors: boolean
}

/** A head, with the examples that it was fitted to in the order of time, and the inputs that it used. */
export interface Learning {
  head: Head
  examples: Example[]
  used: Input[]
}

/**
 * Learns a head from judgments in the order of time: it forecasts the later ones from the earlier ones, and weighs what
 * the forecasts are made from by how well they did. The same judgments give the same head. Undefined for fewer than 200
 * that took a side on some content. It rests as long as it works, and yields in between.
 */
export async function* learnHead(
  judgments: PastJudgment[],
  { dense, authors }: LearningOptions,
): AsyncGenerator<void, Learning | undefined> {
  const asked = judgments.filter(({ decision, content }) => decisionPolarity(decision) && content.trim() !== '')
  if (asked.length < FEWEST_JUDGMENTS) return undefined
  await preparePriors()
  const history = cutHistory(asked.slice(-MOST_JUDGMENTS))
  const lessons = yield* inTurns(lessonsOf(history.judgments))
  const { examples, past, recent, counts } = yield* makeExamples(history, lessons, dense)
  if (examples.length === 0) return undefined
  const models = yield* inTurns(fitModels(lessons, dense))
  const hasAuthors = authors && history.judgments.some(({ author }) => author !== null)
  const used = inputsIn(stackName({ vectors: dense !== undefined, author: hasAuthors }))
  const forecasts = yield* inTurns(forecastInTurn(examples, used))
  const all = smoothedRate(counts.approvals, counts.rejections)
  const rateNow = { all, late: ageInput(recent, all) }
  const stacks: Partial<Head['stacks']> = {}
  for (const name of STACK_NAMES) stacks[name] = yield* inTurns(stackOf(examples, inputsIn(name), rateNow))
  const head: Head = {
    models,
    stacks: stacks as Head['stacks'],
    gates: yield* learnGates(past, history.judgments, dense),
    ...driftOf(examples, forecasts),
    recent,
    fittedTo: counts,
    measured: measuredBy(forecasts, examples),
  }
  return { head, examples, used }
}

/** How good the forecasts of the examples were, and how good the base rate alone would have been. */
function measuredBy(forecasts: Forecast[], examples: Example[]): Head['measured'] {
  return {
    forecasts: forecasts.length,
    accuracy: accuracy(forecasts),
    auc: auc(forecasts),
    ece: calibrationError(forecasts),
    brier: brierScore(forecasts),
    majority: accuracy(examples.map(({ baseRate, approve }) => ({ probability: baseRate, approve }))),
  }
}

/**
 * Fits a stack. How far the share of approvals has moved since the examples is in the base rate by now. The stack
 * counts it once more as a trend, but no more than a trend may be: the rest came at once, as with a new topic.
 *
 * What it adds for an item of which no other input says anything lies between the share of all and that of late, or
 * beyond them by a trend. Few parts of a history tell that they differ, not where the next one lies.
 */
function* stackOf(examples: Example[], used: Input[], rateNow: RateNow): Generator<void, Stack> {
  const stack = yield* fitStack(examples, used)
  const fitted = calibrated(stack, examples, yield* forecastInTurn(examples, used))
  const moved = mean(examples.map(({ baseRate }) => logOdds(rateNow.all) - logOdds(baseRate)))
  const bias = fitted.bias - (moved - between(-MOST_TREND, moved, MOST_TREND))
  const added = deviationOf({ ...fitted, bias }, { ...inputsOf(() => 0), age: rateNow.late })
  const bounded = between(Math.min(0, rateNow.late) - MOST_TREND, added, Math.max(0, rateNow.late) + MOST_TREND)
  return { ...fitted, bias: bias + bounded - added }
}

/** The value, or the nearer bound if it lies beyond. */
const between = (least: number, value: number, most: number) => Math.max(least, Math.min(most, value))

function* lessonsOf(judgments: PastJudgment[]): Generator<void, Lesson[]> {
  const lessons: Lesson[] = []
  for (const { content, decision, vectors } of judgments) {
    const approve = decisionPolarity(decision) === 'approve'
    lessons.push({ text: hashed(indexedStems(content)), vector: vectors.content, approve })
    yield
  }
  return lessons
}

/**
 * Makes an example of each judgment after the first cut: by models fitted up to its cut, by neighbours up to its time.
 */
async function* makeExamples(
  { judgments, cuts, isOfOneTime }: CutHistory,
  lessons: Lesson[],
  dense: KnownModel | undefined,
) {
  const past = new KnownPast(MOST_JUDGMENTS, dense)
  const recent = { approvals: 0, rejections: 0, at: judgments[0]?.createdAt ?? 0 }
  const examples: (Example & Dated)[] = []
  const every = Math.ceil((judgments.length - (cuts[0] ?? 0)) / MOST_EXAMPLES)
  let known = 0

  function* learnWhile(isWanted: (judgment: PastJudgment, i: number) => boolean): Generator<void, void> {
    for (let next = judgments[known]; next && isWanted(next, known); next = judgments[known]) {
      past.learn(next)
      addRecent(recent, next)
      known++
      yield
    }
  }

  for (const [part, from] of cuts.entries()) {
    yield* inTurns(learnWhile((_, i) => i < from))
    const models = yield* inTurns(fitModels(lessons.slice(0, from), dense))
    for (let i = from; i < (cuts[part + 1] ?? judgments.length); i++) {
      const judgment = judgments[i] as PastJudgment
      if (i % every !== 0) continue
      if (!isOfOneTime) yield* inTurns(learnWhile(({ createdAt }) => createdAt < judgment.createdAt))
      const since = performance.now()
      await past.settle()
      examples.push(await exampleOf(judgment, past, { models, recent }))
      await restAfter(since)
      yield
    }
  }
  yield* inTurns(learnWhile(() => true))
  const counts = past.counts({ thread: null })
  // Without times there is no drift: that the share differs between parts is chance.
  if (isOfOneTime) for (const each of examples) each.baseRate = smoothedRate(counts.approvals, counts.rejections)
  return { examples, past, recent, counts }
}

async function exampleOf(
  judgment: PastJudgment,
  past: KnownPast,
  { models, recent }: { models: Models; recent: Head['recent'] },
): Promise<Example & Dated> {
  const { content: text, vectors, thread, author, createdAt: at, decision } = judgment
  const item = { text, vector: vectors.content, thread, author }
  const counts = past.counts(item)
  const baseRate = smoothedRate(counts.approvals, counts.rejections)
  const evidence = { ...(await past.firstEvidence(item, scopesOf(judgment))), sideOf: (id: string) => past.sideOf(id) }
  const still = decay(recent.at, at)
  return {
    at,
    approve: decisionPolarity(decision) === 'approve',
    baseRate,
    inputs: {
      ...nearestInputs(evidence, baseRate),
      ...modelInputs(models, item),
      author: authorInput(past.recordOf(item), baseRate),
      age: ageInput({ approvals: still * recent.approvals, rejections: still * recent.rejections }, baseRate),
    },
  }
}

function addRecent(recent: Head['recent'], { createdAt, decision }: PastJudgment): void {
  const still = decay(recent.at, createdAt)
  const side = decisionPolarity(decision)
  recent.approvals = still * recent.approvals + Number(side === 'approve')
  recent.rejections = still * recent.rejections + Number(side === 'reject')
  recent.at = Math.max(recent.at, createdAt)
}
