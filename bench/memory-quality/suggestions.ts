import {
  accuracy,
  auc,
  calibrationError,
  type Forecast,
  mean,
  reliability,
} from '../../server/src/areas/memory/head/calibration.ts'
import { forecastInTurn, type Input } from '../../server/src/areas/memory/head/stack.ts'
import { atRest } from '../../server/src/areas/memory/learning/in-turns.ts'
import { type KnownModel, KnownPast } from '../../server/src/areas/memory/learning/known-past.ts'
import { type Learning, learnHead } from '../../server/src/areas/memory/learning/learn-head.ts'
import type { PastJudgment } from '../../server/src/areas/memory/learning/read-history.ts'
import { PROBES, similarityBaseline } from '../../server/src/areas/memory/vectors/similarity-baseline.ts'
import { builtinEmbedder } from '../../server/src/platform/embedder/builtin-embedder.ts'
import type { Embedder } from '../../server/src/platform/embedder/embedder.ts'
import { keyOf } from '../../server/src/platform/id.ts'
import { round, table } from '../table.ts'
import { logisticRegression, order, textbookIndex } from './baselines.ts'
import type { Judgment, JudgmentSet } from './sets.ts'

/** The forecast of every future judgment; undefined where a method gives none. */
type Forecasts = (Forecast | undefined)[]

/** Prints how well suggestions foretell the future of a set, beside other methods, and what each part adds. */
export async function foretell(set: JudgmentSet): Promise<void> {
  const { name, history, future, offTopic } = set
  const embedder = await builtinEmbedder()
  const dense = await denseOf(embedder)
  const past = await pastOf(embedder, history)
  const variants = [
    { method: 'suggest', dense, authors: true, learned: true },
    { method: 'suggest, without authors', dense, authors: false, learned: true },
    { method: 'suggest, by words alone', dense: undefined, authors: true, learned: true },
    { method: 'suggest, by the formula', dense, authors: false, learned: false },
    { method: 'suggest, by the formula and words', dense: undefined, authors: false, learned: false },
  ]
  const rows: (string | number)[][] = []
  let learning: Learning | undefined
  let suggested: Forecasts = []
  for (const { method, learned, ...options } of variants) {
    const known = learned ? await ended(learnHead(past, options)) : undefined
    const asker = await askerOf(past, options, known)
    const asked = await askEach(asker, embedder, future, options.authors)
    const strays = await askOffTopic(asker, embedder, offTopic)
    if (method === 'suggest') {
      learning = known
      suggested = asked
    }
    rows.push([...measured(method, asked), sharing(strays, offTopic.length)])
  }
  const others = baselines(history, future).flatMap(({ method, forecasts }) => [
    [...measured(method, forecasts), ''],
    [
      ...measured(
        `${method}, where suggest answers`,
        forecasts.filter((_, i) => suggested[i]),
      ),
      '',
    ],
  ])
  print(
    `Suggestions: ${name}, ${history.length} judgments foretell ${future.length}`,
    table(['method', 'answered', 'accuracy', 'AUC', 'ECE', 'off-topic answered'], [...rows, ...others]),
  )
  if (learning) {
    printLearning(name, learning)
    await printParts(name, learning)
  }
  printReliability(name, suggested)
}

async function denseOf(embedder: Embedder): Promise<KnownModel> {
  const passages = await embedder.embed(PROBES, { purpose: 'background' })
  const queries = await embedder.embed(PROBES, { purpose: 'search' })
  const dimensions = passages[0]?.length ?? 0
  const baseline = similarityBaseline(passages, queries)
  const embed = (texts: string[]) => embedder.embed(texts, { purpose: 'background', as: 'query' })
  return { model: embedder.model, dimensions, baseline, onlyFills: true, embed }
}

async function pastOf(embedder: Embedder, judgments: Judgment[]): Promise<PastJudgment[]> {
  const vectors = await vectorsOf(
    embedder,
    judgments.map(({ content }) => content),
  )
  const blank = { organization: null, document: null, judgeType: 'human', contentType: null, thread: null }
  return judgments
    .map(({ id, approve, reviewer, author, reasoning, content, createdAt }, i) => ({
      ...blank,
      key: keyOf(id),
      decision: approve ? 'approve' : 'reject',
      reviewerId: reviewer,
      author,
      reasoning,
      content,
      createdAt,
      vectors: { review: null, content: vectors[i] ?? null },
    }))
    .sort((a, b) => a.createdAt - b.createdAt)
}

async function vectorsOf(embedder: Embedder, texts: string[]): Promise<(Float32Array | null)[]> {
  const vectors = await embedder.embed(texts, { purpose: 'background' })
  return vectors.map((vector) => (vector.some((value) => value !== 0) ? vector : null))
}

interface Asker {
  past: KnownPast
  known: Learning | undefined
  now: number
}

async function askerOf(
  judgments: PastJudgment[],
  { dense }: { dense: KnownModel | undefined },
  known: Learning | undefined,
): Promise<Asker> {
  const past = new KnownPast(judgments.length, dense)
  for (const judgment of judgments) past.learn(judgment)
  await past.settle()
  return { past, known, now: judgments.at(-1)?.createdAt ?? 0 }
}

interface Question {
  text: string
  vector: Float32Array | null
  author: string | null
}

async function ask({ past, known, now }: Asker, question: Question): Promise<number | undefined> {
  const { primary } = await past.suggest({ ...question, thread: null }, [{}], now, known?.head)
  if (!primary) return undefined
  return primary.recommendation === 'approve' ? primary.confidence : 1 - primary.confidence
}

/** Judgments of one item get the same forecast. */
async function askEach(asker: Asker, embedder: Embedder, future: Judgment[], authors: boolean): Promise<Forecasts> {
  const byItem = new Map(future.map((judgment) => [judgment.itemId, judgment]))
  const items = [...byItem.values()]
  const vectors = await vectorsOf(
    embedder,
    items.map(({ content }) => content),
  )
  const probabilities = new Map<string, number | undefined>()
  for (const [i, { itemId, content, author }] of items.entries()) {
    const question = { text: content, vector: vectors[i] ?? null, author: authors ? author : null }
    probabilities.set(itemId, await ask(asker, question))
  }
  return future.map(({ itemId, approve }) => forecast(probabilities.get(itemId), approve))
}

async function askOffTopic(asker: Asker, embedder: Embedder, texts: string[]): Promise<number> {
  const vectors = await vectorsOf(embedder, texts)
  let answered = 0
  for (const [i, text] of texts.entries()) {
    if ((await ask(asker, { text, vector: vectors[i] ?? null, author: null })) !== undefined) answered++
  }
  return answered
}

const forecast = (probability: number | undefined, approve: boolean) =>
  probability === undefined ? undefined : { probability, approve }

const NEAREST = 10

function baselines(history: Judgment[], future: Judgment[]): { method: string; forecasts: Forecasts }[] {
  const share = mean(history.map(({ approve }) => Number(approve)))
  const textbook = textbookIndex(history.map(({ content }) => content))
  const regression = logisticRegression(
    textbook.vectors,
    history.map(({ approve }) => approve),
  )
  const nearest = (content: string) =>
    mean(
      order(textbook.cosines(content))
        .slice(0, NEAREST)
        .map((place) => Number(history[place]?.approve)),
    )
  const methods: [string, (content: string) => number][] = [
    ['majority class', () => share],
    [`${NEAREST} nearest`, nearest],
    ['logistic regression', (content) => regression(textbook.vectorOf(content))],
  ]
  return methods.map(([method, probabilityOf]) => {
    const known = new Map<string, number>()
    const forecasts = future.map(({ itemId, content, approve }) => {
      const probability = known.get(itemId) ?? probabilityOf(content)
      known.set(itemId, probability)
      return { probability, approve }
    })
    return { method, forecasts }
  })
}

/** The forecasts of the history that the weights were fitted to, and what becomes of them without each input. */
function printLearning(name: string, { head, used }: Learning): void {
  const { weights, shift, scale, bias } =
    head.stacks[used.includes('author') ? 'words+vectors+author' : 'words+vectors']
  const { forecasts, accuracy: right, auc: area, ece, brier, majority } = head.measured
  const figures = { right, area, ece, brier, majority }
  process.stdout.write(
    `\nLearned: ${name}, by ${forecasts} forecasts of the history (${Object.entries(figures)
      .map(([key, value]) => `${key} ${value.toFixed(3)}`)
      .join(', ')}). Weights: ${used.map((input) => `${input} ${weights[input].toFixed(2)}`).join(', ')}; ` +
      `shift ${shift.toFixed(2)}, scale ${scale.toFixed(2)}, bias ${bias.toFixed(2)}, gate ${head.gates.vectors?.least.toFixed(3)}, trust ${head.trust}\n`,
  )
}

/** What becomes of the forecasts of the history with each input alone, and without it. */
async function printParts(name: string, { examples, used }: Learning): Promise<void> {
  const figures = async (inputs: Input[]) => measured('', await atRest(forecastInTurn(examples, inputs))).slice(2)
  const rows: (string | number)[][] = [['all', ...(await figures(used)), '', '', '']]
  for (const part of used) {
    rows.push([part, ...(await figures([part])), ...(await figures(used.filter((input) => input !== part)))])
  }
  print(
    `What each part adds: ${name}, on forecasts of the history`,
    table(['part', 'alone: accuracy', 'AUC', 'ECE', 'without it: accuracy', 'AUC', 'ECE'], rows),
  )
}

function printReliability(name: string, forecasts: Forecasts): void {
  print(
    `Reliability of suggest: ${name}`,
    table(
      ['confidence', 'judgments', 'mean confidence', 'accuracy'],
      reliability(forecasts.filter((each) => each !== undefined)).map((bin) => [
        `${bin.from.toFixed(2)}–${bin.to.toFixed(2)}`,
        bin.count,
        round(bin.confidence, 3),
        round(bin.accuracy, 3),
      ]),
    ),
  )
}

function measured(method: string, all: Forecasts): (string | number)[] {
  const made = all.filter((each) => each !== undefined)
  const figures = [accuracy(made), auc(made), calibrationError(made)].map((value) => value.toFixed(3))
  return [method, percent(made.length / all.length), ...figures]
}

async function ended<Result>(steps: AsyncGenerator<void, Result>): Promise<Result> {
  for (;;) {
    const step = await steps.next()
    if (step.done) return step.value
  }
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

/** A dash where the set has nothing off topic. */
const sharing = (count: number, of: number) => (of === 0 ? '–' : `${count} of ${of} (${percent(count / of)})`)

function print(title: string, text: string): void {
  process.stdout.write(`\n${title}\n${text}\n`)
}
