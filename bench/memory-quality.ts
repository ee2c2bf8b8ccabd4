import { parseArgs } from 'node:util'
import {
  accuracy,
  auc,
  calibrationError,
  type Forecast,
  mean,
  reliability,
} from '../server/src/areas/memory/evaluation/calibration.ts'
import { createLexicalIndex } from '../server/src/areas/memory/lexical/lexical-index.ts'
import { suggest } from '../server/src/areas/memory/search/suggest.ts'
import { logisticRegression, order, textbookIndex } from './memory-quality/baselines.ts'
import { asRetrieval, BLANK, retrievalTable } from './memory-quality/retrieval.ts'
import { type Judgment, type JudgmentSet, judgmentSets, retrievalSets } from './memory-quality/sets.ts'
import { round, table } from './table.ts'

/**
 * Measures how well the decision memory finds and predicts, on the sets in the folder `--data`, beside baseline
 * methods.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { data: { type: 'string' } } })
  if (!values.data) throw new Error('Which sets? --data <folder>')
  const collections = retrievalSets(values.data)
  const judged = judgmentSets(values.data)
  print('Retrieval: nDCG@10 (Recall@10)', retrievalTable([...collections, ...judged.flatMap(asRetrieval)]))
  const offTopic = collections.flatMap(({ queries }) => queries.map(({ text }) => text))
  for (const set of judged) await foretell(set, offTopic)
}

/** By method, the forecast of every future judgment; undefined if the method gives none. */
type Forecasts = Map<string, (Forecast | undefined)[]>

async function foretell(set: JudgmentSet, offTopic: string[]): Promise<void> {
  const suggestion = suggester(set)
  const forecasts = forecastsOf(set, suggestion)
  const answered = forecasts.get('suggest') ?? []
  const rows = [...forecasts].flatMap(([method, all]) => [
    measured(method, all),
    ...(method === 'suggest'
      ? []
      : [
          measured(
            `${method}, where suggest answers`,
            all.filter((_, i) => answered[i]),
          ),
        ]),
  ])
  const { name, history, future } = set
  print(
    `Suggestion: ${name}, ${history.length} judgments foretell ${future.length}`,
    table(['method', 'answered', 'accuracy', 'AUC', 'ECE'], rows),
  )
  const strays = offTopic.filter((text) => suggestion(text) !== undefined).length
  process.stdout.write(`Off-topic: ${strays} of ${offTopic.length} answered (${percent(strays / offTopic.length)}).\n`)
  const bins = reliability(answered.filter((forecast) => forecast !== undefined))
  print(
    `Reliability of suggest: ${name}`,
    table(
      ['confidence', 'judgments', 'mean confidence', 'accuracy'],
      bins.map((bin) => [
        `${bin.from.toFixed(2)}–${bin.to.toFixed(2)}`,
        bin.count,
        round(bin.confidence, 3),
        round(bin.accuracy, 3),
      ]),
    ),
  )
}

/** The probability of an approval that `suggest` gives an item; undefined if it suggests nothing. */
function suggester({ history, future }: JudgmentSet): (content: string) => number | undefined {
  const index = createLexicalIndex()
  const reasonings = new Map(history.map(({ id, reasoning }) => [id, reasoning]))
  for (const { id, approve, reviewer, ...judgment } of history) {
    const decision = approve ? 'approve' : 'reject'
    index.upsert({ ...BLANK, ...judgment, recordId: id, decision, reviewerId: reviewer })
  }
  const now = future[0]?.createdAt ?? 0
  return (content) => {
    const { votes, ...counts } = index.neighbours(content, {})
    const read = votes.map((vote) => ({ ...vote, reasoning: reasonings.get(vote.recordId) ?? '' }))
    const { primary } = suggest({ ...counts, votes: read, scope: 'apiKey' }, now)
    if (!primary) return undefined
    return primary.recommendation === 'approve' ? primary.confidence : 1 - primary.confidence
  }
}

const NEAREST = 10

function forecastsOf({ history, future }: JudgmentSet, suggestion: (content: string) => number | undefined): Forecasts {
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
  const methods: [string, (content: string) => number | undefined][] = [
    ['suggest', suggestion],
    ['majority class', () => share],
    [`${NEAREST} nearest`, nearest],
    ['logistic regression', (content) => regression(textbook.vectorOf(content))],
  ]
  return new Map(methods.map(([method, forecast]) => [method, forecastEach(future, forecast)]))
}

/** Judgments of one item get the same forecast. */
function forecastEach(future: Judgment[], forecast: (content: string) => number | undefined) {
  const known = new Map<string, number | undefined>()
  return future.map(({ itemId, content, approve }) => {
    if (!known.has(itemId)) known.set(itemId, forecast(content))
    const probability = known.get(itemId)
    return probability === undefined ? undefined : { probability, approve }
  })
}

function measured(method: string, all: (Forecast | undefined)[]): (string | number)[] {
  const made = all.filter((forecast) => forecast !== undefined)
  const figures = [accuracy(made), auc(made), calibrationError(made)].map((value) => value.toFixed(3))
  return [method, percent(made.length / all.length), ...figures]
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

function print(title: string, text: string): void {
  process.stdout.write(`\n${title}\n${text}\n`)
}
